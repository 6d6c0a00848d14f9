// Whether the service in this container answers that it is ready.
const { HEALTH_PORT = '9090' } = process.env;
const answer = await fetch(`http://127.0.0.1:${HEALTH_PORT}/ready`);
process.exitCode = answer.ok ? 0 : 1;
