import type { Problem } from '../../../../kubernetes/findings/problem';
import { addedEnvironment } from '../../pod/environment';
import type { ControlPlaneView } from '../control-plane-view';

/** The chart's template of the destination controller has the argument of its traces below its environment variables. */
export function checkTracedEnvironment({ controller, destinationController }: ControlPlaneView): readonly Problem[] {
  if (!controller.tracing.enabled || addedEnvironment(destinationController).length === 0) return [];
  return [
    {
      code: 'environment-clashes-with-tracing',
      about: 'values.controller.tracing',
      what: 'values.controller.tracing is enabled, and destinationController has additionalEnv or experimentalEnv',
      why: 'The chart prints the argument that says where traces go into the list of environment variables, and the API server refuses the Deployment',
      fix: 'leave out one of the two; traces of proxies (proxy.tracing) are no part of this',
    },
  ];
}
