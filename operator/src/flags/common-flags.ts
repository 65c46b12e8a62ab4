import { LOG_LEVELS } from '#controller-runtime/telemetry/logger';
import { flag } from './flag';

/** Flags of every command that uses the API server. */
export const COMMON_FLAGS = {
  kubeconfig: {
    ...flag.text({
      description: 'kubeconfig file; without one: KUBECONFIG, ~/.kube/config, or the service account of the pod',
      default: undefined,
    }),
    // KUBECONFIG may name several files.
    variable: false,
  },
  logLevel: flag.oneOf({ description: 'minimum level of log lines', words: LOG_LEVELS, default: 'info' }),
} as const;
