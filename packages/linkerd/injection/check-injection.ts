import type { Problem } from '#base/findings/problem';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import { checkAmount } from '../proxy-values/quantity';
import { INJECTION_FINDINGS } from './findings';
import { checkHeaderLogs } from './header-logs';
import { type Injector, reads } from './injector';
import { checkNeededMaps } from './missing-maps';
import { checkSidecarWait } from './native-sidecar';
import { checkProxyInit } from './proxy-init';
import { checkEqualPorts } from './proxy-ports';
import { checkProxyTracing } from './proxy-tracing';
import { checkNeededValues, checkValueTypes } from './typed-values';

/**
 * Checks values for anything that would make the injector fail for each pod, or create pods that Kubernetes refuses or
 * nodes do not start. The injector renders proxies with the chart's own templates (linkerd2,
 * charts/patch/templates/patch.json), so it refuses for each pod what the chart refuses about proxies.
 *
 * @param values all values that the injector would have
 * @param injector the injector of the values' release
 */
export function checkInjection(values: Values, injector: Injector): readonly Problem[] {
  const { cniEnabled, proxy, proxyInit } = values;
  return [
    ...checkNeededMaps(values, injector.neededMaps, 'injector'),
    ...checkNeededValues(values, injector),
    ...checkProxyValues(values, injector),
    ...(reads(injector, 'proxy.tracing') ? checkProxyTracing(values) : []),
    ...(isMap(proxy) ? checkProxy(proxy, injector) : []),
    ...(isMap(proxyInit) ? checkProxyInit({ cniEnabled, proxyInit }, injector) : []),
  ];
}

function checkProxy(proxy: Values, injector: Injector): readonly Problem[] {
  return [
    ...(reads(injector, 'proxy.logHTTPHeaders') ? checkHeaderLogs(proxy) : []),
    ...(injector.nativeSidecarRefusesWait ? checkSidecarWait(proxy) : []),
  ];
}

/** Checks only the given values: missing ones may be set elsewhere. */
export function checkProxyValues(values: Values, injector: Injector): readonly Problem[] {
  const ports = valueAt(values, 'proxy.ports');
  return [
    ...checkValueTypes(values, injector),
    ...resourcesIn(values).flatMap(([path, resources]) => checkResources(`values.${path}`, resources)),
    ...checkContainers(values, injector),
    ...(isMap(ports) ? checkEqualPorts(portsIn(ports)) : []),
  ];
}

function portsIn(ports: Values): readonly { readonly field: string; readonly port: number }[] {
  return Object.entries(ports).flatMap(([name, port]) =>
    typeof port === 'number' ? [{ field: `values.proxy.ports.${name}`, port }] : [],
  );
}

function resourcesIn(values: Values): readonly (readonly [path: string, resources: Values])[] {
  const paths = Object.keys(values).filter((key) => key.endsWith('Resources'));
  return ['proxy.resources', 'proxyInit.resources', 'policyController.resources', ...paths].flatMap((path) => {
    const resources = valueAt(values, path);
    return isMap(resources) ? [[path, resources] as const] : [];
  });
}

function checkResources(field: string, resources: Values): readonly Problem[] {
  return Object.entries(resources).flatMap(([resource, amount]) =>
    isMap(amount)
      ? checkAmount(
          `${field}.${resource}`,
          { request: amountText(amount.request), limit: amountText(amount.limit) },
          resource !== 'cpu',
        )
      : [],
  );
}

/** undefined if the chart treats the value as absent. */
function amountText(value: Value | undefined): string | undefined {
  return value === undefined || value === null || value === '' || typeof value === 'object' ? undefined : `${value}`;
}

const SECURITY_CONTEXTS = ['proxy.securityContext', 'networkValidator.securityContext'];
const ENVIRONMENTS = ['proxy.additionalEnv', 'proxy.experimentalEnv'];

/** Checks the containers that the injector adds for anything that Kubernetes refuses, or nodes do not start. */
function checkContainers(values: Values, injector: Injector): readonly Problem[] {
  const isRead = (path: string) => reads(injector, path);
  return [
    ...SECURITY_CONTEXTS.filter(isRead).flatMap((path) => checkSecurityContext(values, path)),
    ...ENVIRONMENTS.filter(isRead).flatMap((path) => checkEnvironment(values, path)),
    ...checkTokenMount(values),
  ];
}

function checkSecurityContext(values: Values, path: string): readonly Problem[] {
  const context = valueAt(values, path);
  if (!isMap(context)) return [];
  const problems: Problem[] = [];
  if (context.runAsNonRoot === true && context.runAsUser === 0) {
    problems.push(INJECTION_FINDINGS.injectedValueRefusedRoot({ path }, { about: `values.${path}.runAsUser` }));
  }
  if (context.allowPrivilegeEscalation === false && context.privileged === true) {
    problems.push(INJECTION_FINDINGS.injectedValueRefusedPrivileges({ path }, { about: `values.${path}.privileged` }));
  }
  return [
    ...problems,
    ...['appArmorProfile', 'seccompProfile'].flatMap((key) => checkProfile(`${path}.${key}`, context[key])),
  ];
}

function checkProfile(path: string, profile: Value | undefined): readonly Problem[] {
  if (!isMap(profile)) return [];
  const { localhostProfile: name = null, type = null } = profile;
  if (type === 'Localhost' ? name !== null && name !== '' : name === null) return [];
  const details = { about: `values.${path}.localhostProfile` };
  return [
    type === 'Localhost'
      ? INJECTION_FINDINGS.injectedValueRefusedProfileMissing({ path }, details)
      : INJECTION_FINDINGS.injectedValueRefusedProfileUnused({ path, type: JSON.stringify(type) }, details),
  ];
}

function checkEnvironment(values: Values, path: string): readonly Problem[] {
  const list: Value | undefined = valueAt(values, path);
  if (!Array.isArray(list)) return [];
  return (list as readonly Value[]).flatMap((variable, index) =>
    isMap(variable) ? checkVariable(`values.${path}[${index}]`, variable) : [],
  );
}

/** Names of environment variables since Kubernetes 1.32, earlier by a feature gate: printable characters except "=". */
const PRINTABLE = /^[ -<>-~]+$/;

function checkVariable(field: string, { name, value, valueFrom }: Values): readonly Problem[] {
  const problems: Problem[] = [];
  if (typeof name !== 'string' || !PRINTABLE.test(name)) {
    problems.push(INJECTION_FINDINGS.injectedValueRefusedVariable({ field }, { about: field }));
  }
  if (isMap(valueFrom) && typeof value === 'string' && value !== '') {
    problems.push(INJECTION_FINDINGS.injectedValueRefusedVariableValue({ field }, { about: field }));
  }
  return problems;
}

function checkTokenMount(values: Values): readonly Problem[] {
  if (!isMap(valueAt(values, 'proxy.saMountPath'))) return [];
  return [INJECTION_FINDINGS.injectedValueRefusedTokenMount({}, { about: 'values.proxy.saMountPath' })];
}
