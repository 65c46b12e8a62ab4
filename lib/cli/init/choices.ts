import type { GatewayApi } from '../../constructs/control-plane/linkerd-crds';

/** The CI systems with a pipeline template. */
export const CI_SYSTEMS = ['github', 'gitlab', 'none'] as const;

/** Origins of the CRDs of the Gateway API. */
export const GATEWAY_APIS = ['install', 'existing'] as const satisfies readonly GatewayApi[];
