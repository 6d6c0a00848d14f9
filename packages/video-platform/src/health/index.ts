export { createCircuit, type Effect } from './circuit.ts';
export { emptyStats, type MonitoredCircuit, monitored, type Subject, type Turn } from './monitored-circuit.ts';
