import { checkLogLevel } from '../../operator/api/proxy-values/log-level';
import { checkPortList } from '../../operator/api/proxy-values/port-list';
import { checkProxyDuration } from '../../operator/api/proxy-values/proxy-duration';
import { checkAmount } from '../../operator/api/proxy-values/quantity';
import { isMap, type Value, type Values, valueAt } from '../helm/values';
import type { Problem } from '../validation/problem';

type Check = (field: string, text: string) => readonly Problem[];

/** What is text in the values, and a text of its own form to those who read it. */
const FORMS: readonly (readonly [path: string, check: Check])[] = [
  ['proxy.logLevel', checkLogLevel],
  ['proxy.shutdownGracePeriod', checkProxyDuration],
  ['proxy.inboundConnectTimeout', checkProxyDuration],
  ['proxy.outboundConnectTimeout', checkProxyDuration],
  ['proxy.inboundDiscoveryCacheUnusedTimeout', checkProxyDuration],
  ['proxy.outboundDiscoveryCacheUnusedTimeout', checkProxyDuration],
  ['proxy.opaquePorts', checkPortList],
  ['proxy.requireIdentityOnInboundPorts', checkPortList],
  ['proxyInit.ignoreInboundPorts', checkPortList],
  ['proxyInit.ignoreOutboundPorts', checkPortList],
  ['proxyInit.kubeAPIServerPorts', checkPortList],
];

/** What of the values of a control plane the proxy, the injector or Kubernetes would refuse though it is text. */
export function proxyValueProblems(values: Values): readonly Problem[] {
  return [
    ...FORMS.flatMap(([path, check]) => {
      const text = textOf(valueAt(values, path));
      return text === undefined ? [] : check(`values.${path}`, text);
    }),
    ...resourcesIn(values).flatMap(([path, resources]) => checkResources(`values.${path}`, resources)),
  ];
}

/** The resources of the proxy, its init container and the components: `destinationResources` and the like. */
function resourcesIn(values: Values): readonly (readonly [path: string, resources: Values])[] {
  const paths = Object.keys(values).filter((key) => key.endsWith('Resources'));
  return ['proxy.resources', 'proxyInit.resources', ...paths].flatMap((path) => {
    const resources = valueAt(values, path);
    return isMap(resources) ? [[path, resources] as const] : [];
  });
}

function checkResources(field: string, resources: Values): readonly Problem[] {
  return Object.entries(resources).flatMap(([resource, amount]) =>
    isMap(amount)
      ? checkAmount(
          `${field}.${resource}`,
          { request: textOf(amount.request), limit: textOf(amount.limit) },
          resource !== 'cpu',
        )
      : [],
  );
}

/** A value as text, absent where the chart takes it for none. */
function textOf(value: Value | undefined): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? `${value}` : undefined;
}
