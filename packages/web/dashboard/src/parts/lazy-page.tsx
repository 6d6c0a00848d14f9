import { type ComponentType, lazy } from 'react';
import { Failure } from './failure.tsx';

/** Its script is that of an earlier release, or the network is away. */
const NotLoaded = () => <Failure error={new Error('not loaded')} retry={() => location.reload()} />;

/** A view whose script is loaded when it is first shown. */
export const lazyPage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(() =>
    load().then(
      (page) => ({ default: page }),
      () => ({ default: NotLoaded as ComponentType<Props> }),
    ),
  );
