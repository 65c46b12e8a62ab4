import type { Problem } from '../kubernetes/problem';
import { valueAt } from '../kubernetes/value-at';
import { isMap, type Value, type Values } from '../kubernetes/values-merge';
import { type Injector, reads } from './injector';

const SECURITY_CONTEXTS = ['proxy.securityContext', 'networkValidator.securityContext'];
const ENVIRONMENTS = ['proxy.additionalEnv', 'proxy.experimentalEnv'];

/** Checks the containers that the injector makes by what Kubernetes refuses, or nodes do not start. */
export function checkContainers(values: Values, injector: Injector): readonly Problem[] {
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
    problems.push({
      code: 'root-contradicted',
      about: `values.${path}.runAsUser`,
      what: `values.${path}.runAsUser is 0, but ${path}.runAsNonRoot is true`,
      why: 'Nodes do not start a container as root that says that it is not',
      fix: 'give runAsUser another user',
    });
  }
  if (context.allowPrivilegeEscalation === false && context.privileged === true) {
    problems.push({
      code: 'privilege-contradicted',
      about: `values.${path}.privileged`,
      what: `values.${path}.privileged is true, but ${path}.allowPrivilegeEscalation is false`,
      why: 'Kubernetes refuses each pod with such a container',
      fix: 'remove one of them',
    });
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
  return [
    {
      code: 'seccomp-profile-refused',
      about: `values.${path}.localhostProfile`,
      what: `values.${path}.localhostProfile is ${name === null ? 'not set' : 'set'}, but ${path}.type is ${JSON.stringify(type)}`,
      why: 'Kubernetes refuses each pod with such a container: a profile of the node has a name, and no other has',
      fix: 'give both a type of "Localhost" and the name of the profile, or neither',
    },
  ];
}

function checkEnvironment(values: Values, path: string): readonly Problem[] {
  const list: Value | undefined = valueAt(values, path);
  if (!Array.isArray(list)) return [];
  return (list as readonly Value[]).flatMap((variable, index) =>
    isMap(variable) ? checkVariable(`values.${path}[${index}]`, variable) : [],
  );
}

/** Names of environment variables since Kubernetes 1.32, and with a setting before: what is printable, but for "=". */
const PRINTABLE = /^[ -<>-~]+$/;

function checkVariable(field: string, { name, value, valueFrom }: Values): readonly Problem[] {
  const problems: Problem[] = [];
  if (typeof name !== 'string' || !PRINTABLE.test(name)) {
    problems.push({
      code: 'variable-name-refused',
      about: field,
      what: `${field} has no name that an environment variable can have`,
      why: 'Kubernetes refuses each pod that the proxy is injected into',
      fix: 'name it with letters, digits and "_"',
    });
  }
  if (isMap(valueFrom) && typeof value === 'string' && value !== '') {
    problems.push({
      code: 'variable-valued-twice',
      about: field,
      what: `${field} has both value and valueFrom`,
      why: 'Kubernetes refuses each pod that the proxy is injected into',
      fix: 'keep one of them',
    });
  }
  return problems;
}

function checkTokenMount(values: Values): readonly Problem[] {
  if (!isMap(valueAt(values, 'proxy.saMountPath'))) return [];
  return [
    {
      code: 'token-mount-refused',
      about: 'values.proxy.saMountPath',
      what: 'values.proxy.saMountPath is set',
      why: "It is where a pod's own containers have the token of their service account, which the injector finds out: from here it would mount a volume that pods do not have",
      fix: 'remove proxy.saMountPath from values',
    },
  ];
}
