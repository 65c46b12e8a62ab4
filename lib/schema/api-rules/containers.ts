import { isLabelKey } from '../../kubernetes/names';
import { showValue } from '../../kubernetes/value-path';
import {
  all,
  type Check,
  each,
  type Fields,
  type Findings,
  fields,
  has,
  listIn,
  object,
  objectIn,
  own,
  REFUSES,
  textAt,
} from './check';
import type { RuleTable } from './rule-table';
import {
  between,
  dataKey,
  dnsLabel,
  dnsSubdomain,
  environmentName,
  headerName,
  notEmpty,
  notNegative,
  oneOf,
  orEmpty,
  pathBelow,
  pathOfFile,
  pathWithoutBacksteps,
  port,
  portName,
  portNumber,
  positive,
  quantityIn,
  userId,
} from './scalars';

/** Exactly one of some fields, of which each says where something comes from or what is done. */
export function exactlyOne(names: readonly string[], what: string): Check {
  return object((value, findings) => {
    const set = names.filter((name) => has(value, name));
    if (set.length === 1) return;
    findings.refuse({
      code: 'not-exactly-one',
      says: set.length === 0 ? `has none of ${names.join(', ')}` : `has ${set.join(' and ')}`,
      why: `${REFUSES}: ${what}`,
      fix: set.length === 0 ? 'add one of them' : 'keep one of them',
    });
  });
}

/** At most one of some fields. */
export function atMostOne(names: readonly string[], what: string): Check {
  const check = exactlyOne(names, what);
  const known = new Set(names);
  return object((value, findings) => {
    let count = 0;
    for (const key of Object.keys(value)) if (known.has(key) && has(value, key)) count += 1;
    if (count > 1) check(value, findings);
  });
}

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources that Kubernetes itself knows: those without a prefix, and those with its own. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** The names of resources of containers (k8s.io/kubernetes/pkg/apis/core/validation, validateContainerResourceName). */
function isContainerResource(name: string): boolean {
  if (!isLabelKey(name)) return false;
  if (!name.includes('/')) return STANDARD.has(name) || isHugePages(name);
  return isNative(name) || (!name.startsWith('requests.') && isLabelKey(`requests.${name}`));
}

function checkAmount(name: string, value: unknown, findings: Findings, isKnown: (name: string) => boolean): void {
  if (!isKnown(name)) {
    findings.refuse(
      {
        code: 'resource-unknown',
        says: 'is no resource of containers',
        why: `${REFUSES}: others have a prefix, "example.com/gpu"`,
        fix: 'name a resource',
      },
      name,
    );
    return;
  }
  const amount = quantityIn(value) ?? 0;
  if (amount < 0) {
    findings.refuse(
      {
        code: 'quantity-negative',
        says: `is ${showValue(value)}`,
        why: `${REFUSES}: the quantity must not be negative`,
        fix: 'write it without a sign',
      },
      name,
    );
  }
  if (!isNative(name) && !Number.isInteger(amount)) {
    findings.refuse(
      {
        code: 'quantity-not-whole',
        says: `is ${showValue(value)}`,
        why: `${REFUSES}: the resource comes in whole units`,
        fix: 'write a whole number',
      },
      name,
    );
  }
  const page = isHugePages(name) ? quantityIn(name.slice('hugepages-'.length)) : undefined;
  if (isHugePages(name) && (page === undefined || page <= 0 || amount % page !== 0)) {
    findings.refuseValue(value, `${REFUSES}: it must be a multiple of the size in the name`, 'write a multiple', name);
  }
}

/** Requests and limits, for resources whose names `isKnown` tells. */
function resources(isKnown: (name: string) => boolean): Check {
  return object((requirements, findings) => {
    const limits = objectIn(requirements, 'limits');
    const requests = objectIn(requirements, 'requests');
    for (const [name, value] of Object.entries(limits)) {
      findings.at('limits', limits, () => checkAmount(name, value, findings, isKnown));
    }
    for (const [name, value] of Object.entries(requests)) {
      findings.at('requests', requests, () => {
        checkAmount(name, value, findings, isKnown);
        checkRequest(name, value, limits, findings);
      });
    }
    const names = new Set([...Object.keys(limits), ...Object.keys(requests)]);
    if ([...names].some(isHugePages) && !names.has('cpu') && !names.has('memory')) {
      findings.refuse({
        code: 'huge-pages-alone',
        says: 'has huge pages, and neither cpu nor memory',
        why: `${REFUSES}: huge pages need one of these`,
        fix: 'add cpu or memory',
      });
    }
  });
}

function checkRequest(name: string, value: unknown, limits: Fields, findings: Findings): void {
  const limit = own(limits, name);
  const request = quantityIn(value);
  const most = quantityIn(limit);
  const isFixed = !isNative(name) || isHugePages(name);
  if (isFixed && limit === undefined) {
    findings.refuseValue(value, `${REFUSES}: the resource needs a limit`, 'set a limit of the same amount', name);
  }
  if (request === undefined || most === undefined) return;
  if (isFixed && request !== most) {
    findings.refuseValue(value, `${REFUSES}: the resource's request and limit are equal`, `write ${limit}`, name);
  } else if (request > most) {
    findings.refuse(
      {
        code: 'request-over-limit',
        says: `is ${showValue(value)}`,
        why: `${REFUSES}: it is more than the limit of ${limit}`,
        fix: `write ${limit} or less`,
      },
      name,
    );
  }
}

/** Requests and limits of a container. */
export const containerResources = resources(isContainerResource);

/** Resources that can be set for a pod as a whole. */
export const podResources = all(
  resources((name) => name === 'cpu' || name === 'memory' || isHugePages(name)),
  object((value, findings) => {
    if (own(value, 'claims') !== undefined) {
      findings.refuse(
        {
          code: 'field-not-allowed',
          says: 'is set',
          why: `${REFUSES} for a pod as a whole`,
          fix: 'set it in a container',
        },
        'claims',
      );
    }
  }),
);

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

const FIELD_PATHS = {
  env: [
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'spec.nodeName',
    'spec.serviceAccountName',
    'status.hostIP',
    'status.hostIPs',
    'status.podIP',
    'status.podIPs',
    'spec.host',
  ],
  volume: ['metadata.name', 'metadata.namespace', 'metadata.labels', 'metadata.annotations', 'metadata.uid'],
};

/** A field of the pod itself, as an environment variable or a file. */
function fieldRef(place: keyof typeof FIELD_PATHS): Check {
  return object((value, findings) => {
    const path = own(value, 'fieldPath');
    if (has(value, 'apiVersion') && own(value, 'apiVersion') !== 'v1' && own(value, 'apiVersion') !== '') {
      findings.refuseValue(own(value, 'apiVersion'), `${REFUSES}: pods are of v1`, 'write v1', 'apiVersion');
    }
    if (typeof path !== 'string' || FIELD_PATHS[place].includes(path)) return;
    const [, kind, key = ''] = /^metadata\.(annotations|labels)\['(.*)'\]$/s.exec(path) ?? [];
    if (kind !== undefined && isLabelKey(kind === 'labels' ? key : key.toLowerCase())) return;
    findings.refuseValue(
      path,
      `${REFUSES}: not every field of a pod can be handed to its containers`,
      `write one of ${FIELD_PATHS[place].join(', ')}, or metadata.labels['key']`,
      'fieldPath',
    );
  });
}

const RESOURCE = /^(?:limits|requests)\.(?:cpu|memory|ephemeral-storage|hugepages-.*)$/s;
const CPU_DIVISORS = [1, 0.001];
const BYTE_DIVISORS = [0, 3, 6, 9, 12, 15, 18]
  .map((power) => 10 ** power)
  .concat([10, 20, 30, 40, 50, 60].map((power) => 2 ** power));

/** A limit or a request of a container, as an environment variable or a file; a file needs the container's name. */
function resourceFieldRef(place: keyof typeof FIELD_PATHS): Check {
  return object((value, findings) => {
    const resource = own(value, 'resource');
    if (place === 'volume' && textAt(value, 'containerName') === undefined) {
      findings.refuse({
        code: 'field-missing',
        says: 'has no containerName',
        why: `${REFUSES}: a volume belongs to no container`,
        fix: 'add it',
      });
    } else if (typeof resource === 'string' && !RESOURCE.test(resource)) {
      findings.refuseValue(
        resource,
        `${REFUSES}: it is no limit or request`,
        'write limits.cpu for instance',
        'resource',
      );
    }
    const divisor = quantityIn(own(value, 'divisor')) ?? 0;
    const allowed = typeof resource === 'string' && resource.endsWith('.cpu') ? CPU_DIVISORS : BYTE_DIVISORS;
    if (divisor !== 0 && typeof resource === 'string' && RESOURCE.test(resource) && !allowed.includes(divisor)) {
      findings.refuseValue(own(value, 'divisor'), `${REFUSES}: it is no unit of the resource`, 'write 1', 'divisor');
    }
  });
}

/** A key of a Secret or a ConfigMap. */
const keyRef = all(
  fields({ key: dataKey, name: dnsSubdomain }),
  object((value, findings) => {
    if (!has(value, 'name'))
      findings.refuse({
        code: 'field-missing',
        says: 'has no name',
        why: `${REFUSES}: the key is of something`,
        fix: 'add the name',
      });
  }),
);

/** A Secret or a ConfigMap, all of it. */
const wholeRef = all(
  fields({ name: dnsSubdomain }),
  object((value, findings) => {
    if (!has(value, 'name'))
      findings.refuse({
        code: 'field-missing',
        says: 'has no name',
        why: `${REFUSES}: it names what is read`,
        fix: 'add the name',
      });
  }),
);

const oneSource = exactlyOne(
  ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef'],
  'a variable has one source',
);

/** The containers that end before the others start have nothing to probe or to stop. */
function initContainer(value: unknown, findings: Findings): void {
  object((container) => {
    if (own(container, 'restartPolicy') === 'Always') return;
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
      if (!has(container, field)) continue;
      findings.refuse(
        {
          code: 'field-not-allowed',
          says: 'is set',
          why: `${REFUSES} in an init container that ends`,
          fix: 'remove it, or set restartPolicy: Always',
        },
        field,
      );
    }
  })(value, findings);
}

export const initContainers = each(initContainer);

const once: Check = object((probe, findings) => {
  const threshold = own(probe, 'successThreshold') ?? 0;
  // Kubernetes takes 0 for 1.
  if (typeof threshold === 'number' && threshold !== 1 && threshold !== 0) {
    findings.refuseValue(threshold, `${REFUSES}: one success is enough for this probe`, 'write 1', 'successThreshold');
  }
});

const localhostProfile = (what: string): Check =>
  object((profile, findings) => {
    const isLocal = own(profile, 'type') === 'Localhost';
    if (isLocal === has(profile, 'localhostProfile')) return;
    findings.refuse({
      code: 'profile-name-refused',
      says: isLocal ? 'is of type Localhost, without a localhostProfile' : 'has a localhostProfile, and another type',
      why: `${REFUSES}: the ${what} profile of a node has a name, the others have none`,
      fix: isLocal ? 'name the localhostProfile' : 'set type: Localhost, or remove the profile',
    });
  });

/** Containers, and what is in them. */
export const CONTAINER_RULES: RuleTable = {
  Container: all(
    fields({
      name: dnsLabel,
      restartPolicyRules: notEmpty,
      livenessProbe: once,
      startupProbe: once,
      readinessProbe: object((probe, findings) => {
        if (!has(probe, 'terminationGracePeriodSeconds')) return;
        findings.refuse(
          {
            code: 'field-not-allowed',
            says: 'is set',
            why: `${REFUSES}: a container that is not ready is not stopped`,
            fix: 'remove it',
          },
          'terminationGracePeriodSeconds',
        );
      }),
    }),
    object((container, findings) => {
      if (textAt(container, 'image') === undefined) {
        findings.refuse({
          code: 'field-missing',
          says: 'has no image',
          why: `${REFUSES}: there is nothing to run`,
          fix: 'set the image',
        });
      }
      checkMounts(container, findings);
      checkRestart(container, findings);
    }),
  ),
  ContainerPort: fields({ name: orEmpty(portName), containerPort: portNumber, hostPort: between(0, 65_535) }),
  ContainerResizePolicy: fields({
    resourceName: oneOf('cpu', 'memory'),
    restartPolicy: oneOf('NotRequired', 'RestartContainer'),
  }),
  EnvVar: all(
    fields({ name: environmentName, valueFrom: oneSource }),
    object((variable, findings) => {
      if (!has(variable, 'valueFrom') || textAt(variable, 'value') === undefined) return;
      findings.refuse({
        code: 'variable-valued-twice',
        says: 'has value and valueFrom',
        why: `${REFUSES}: a variable has one source`,
        fix: 'keep one of them',
      });
    }),
  ),
  EnvVarSource: fields({
    configMapKeyRef: keyRef,
    secretKeyRef: keyRef,
    fieldRef: fieldRef('env'),
    resourceFieldRef: resourceFieldRef('env'),
    fileKeyRef: fields({ key: environmentName, volumeName: dnsLabel, path: all(notEmpty, pathWithoutBacksteps) }),
  }),
  EnvFromSource: all(
    fields({ prefix: orEmpty(environmentName), configMapRef: wholeRef, secretRef: wholeRef }),
    exactlyOne(['configMapRef', 'secretRef'], 'variables have one source'),
  ),
  DownwardAPIVolumeFile: all(
    fields({
      path: all(notEmpty, pathOfFile),
      mode: between(0, 0o777),
      fieldRef: fieldRef('volume'),
      resourceFieldRef: resourceFieldRef('volume'),
    }),
    exactlyOne(['fieldRef', 'resourceFieldRef'], 'a file has one source'),
  ),
  Probe: all(
    exactlyOne(HANDLERS, 'a probe does one thing'),
    fields({
      initialDelaySeconds: notNegative,
      timeoutSeconds: notNegative,
      periodSeconds: notNegative,
      successThreshold: notNegative,
      failureThreshold: notNegative,
      terminationGracePeriodSeconds: positive,
    }),
  ),
  LifecycleHandler: exactlyOne(['exec', 'httpGet', 'sleep', 'tcpSocket'], 'a hook does one thing'),
  ExecAction: object((action, findings) => {
    if (listIn(action, 'command').length > 0) return;
    findings.refuse({
      code: 'field-missing',
      says: 'has no command',
      why: `${REFUSES}: there is nothing to run`,
      fix: 'set the command',
    });
  }),
  HTTPGetAction: fields({ port, httpHeaders: each(fields({ name: headerName })) }),
  TCPSocketAction: fields({ port }),
  GRPCAction: fields({ port: portNumber }),
  ResourceRequirements: containerResources,
  SecurityContext: all(
    fields({ runAsUser: userId, runAsGroup: userId, procMount: oneOf('Default', 'Unmasked') }),
    object((context, findings) => {
      if (own(context, 'allowPrivilegeEscalation') !== false) return;
      const adds = listIn(objectIn(context, 'capabilities'), 'add');
      const has =
        own(context, 'privileged') === true
          ? 'privileged: true'
          : adds.includes('CAP_SYS_ADMIN')
            ? 'CAP_SYS_ADMIN'
            : undefined;
      if (has === undefined) return;
      findings.refuse({
        code: 'privilege-contradicted',
        says: `has allowPrivilegeEscalation: false and ${has}`,
        why: `${REFUSES}: there is nothing left to escalate to`,
        fix: `remove ${has}`,
      });
    }),
  ),
  SeccompProfile: all(fields({ localhostProfile: pathBelow }), localhostProfile('seccomp')),
  AppArmorProfile: all(
    fields({ type: oneOf('Localhost', 'RuntimeDefault', 'Unconfined') }),
    localhostProfile('AppArmor'),
    object((profile, findings) => {
      const name = own(profile, 'localhostProfile');
      if (own(profile, 'type') !== 'Localhost' || typeof name !== 'string') return;
      if (name === '' || name !== name.trim() || name.length > 4095) {
        findings.refuseValue(
          name,
          `${REFUSES}: it names a profile, without white space around`,
          'write the name',
          'localhostProfile',
        );
      }
    }),
  ),
};

function checkRestart(container: Fields, findings: Findings): void {
  if (listIn(container, 'restartPolicyRules').length > 0) {
    findings.refuse(
      { code: 'field-not-allowed', says: 'is set', why: `${REFUSES} unless an alpha feature is on`, fix: 'remove it' },
      'restartPolicyRules',
    );
  }
}

const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

function checkMounts(container: Fields, findings: Findings): void {
  const privileged = own(objectIn(container, 'securityContext'), 'privileged') === true;
  const check = object((mount) => {
    findings.at('mountPath', own(mount, 'mountPath'), notEmpty);
    findings.at('subPath', own(mount, 'subPath'), pathBelow);
    findings.at('subPathExpr', own(mount, 'subPathExpr'), pathBelow);
    if (textAt(mount, 'subPath') !== undefined && textAt(mount, 'subPathExpr') !== undefined) {
      findings.refuse({
        code: 'not-exactly-one',
        says: 'has subPath and subPathExpr',
        why: `${REFUSES}: there is one path`,
        fix: 'keep one of them',
      });
    }
    const propagation = own(mount, 'mountPropagation');
    findings.at('mountPropagation', propagation, oneOf('None', 'HostToContainer', 'Bidirectional'));
    if (propagation === 'Bidirectional' && !privileged) {
      findings.refuseValue(
        propagation,
        `${REFUSES} unless the container is privileged`,
        'write HostToContainer',
        'mountPropagation',
      );
    }
    const recursive = own(mount, 'recursiveReadOnly');
    findings.at('recursiveReadOnly', recursive, oneOf(...RECURSIVE));
    if (recursive !== 'Enabled' && recursive !== 'IfPossible') return;
    if (own(mount, 'readOnly') !== true || (propagation ?? 'None') !== 'None') {
      findings.refuseValue(
        recursive,
        `${REFUSES}: the mount must be read-only and not propagated`,
        'set readOnly',
        'recursiveReadOnly',
      );
    }
  });
  findings.at('volumeMounts', own(container, 'volumeMounts'), each(check));
}
