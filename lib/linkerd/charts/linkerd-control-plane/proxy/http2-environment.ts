import type { EnvVar } from '../../../../../imports/kubernetes';
import { env } from '../../pod/environment';
import type { ControlPlaneView } from '../control-plane-view';

/** Parameters of one side of a proxy: by role (`server`), protocol (`http2`) and name (`keepAliveInterval`). */
interface SideParameters {
  readonly [role: string]:
    | { readonly [protocol: string]: { readonly [name: string]: string | undefined } | undefined }
    | undefined;
}

/** Parameters of the proxy's servers: each value has a variable of its name. */
export function serverEnvironment({ proxy }: ControlPlaneView): readonly EnvVar[] {
  return [...sideEnvironment('inbound', proxy.inbound), ...sideEnvironment('outbound', proxy.outbound)];
}

function sideEnvironment(side: string, roles: SideParameters = {}): readonly EnvVar[] {
  return sorted(roles).flatMap(([role, protocols = {}]) =>
    sorted(protocols).flatMap(([protocol, parameters = {}]) =>
      sorted(parameters).map(([name, value]) =>
        env(`LINKERD2_PROXY_${[side, role, protocol, name].map(variableName).join('_')}`, value),
      ),
    ),
  );
}

function sorted<T>(map: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** `keepAliveInterval` as `KEEP_ALIVE_INTERVAL`. */
function variableName(key: string): string {
  return key.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase();
}
