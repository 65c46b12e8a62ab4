import { isLabelKey } from '../names';
import {
  all,
  type Check,
  each,
  exactlyOne,
  type Fields,
  type Findings,
  fields,
  forbidden,
  has,
  invalid,
  listIn,
  notSupported,
  object,
  objectIn,
  own,
  type RuleTable,
  required,
  textAt,
} from './check';
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

/** Init containers that end before the pod's containers start cannot have probes or lifecycle hooks. */
function initContainer(value: unknown, findings: Findings): void {
  object((container) => {
    if (own(container, 'restartPolicy') === 'Always') return;
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
      if (!has(container, field)) continue;
      findings.refuse(forbidden('init-container'), field);
    }
  })(value, findings);
}

export const initContainers = each(initContainer);

const once: Check = object((probe, findings) => {
  const threshold = own(probe, 'successThreshold') ?? 0;
  // Kubernetes treats 0 as 1.
  if (typeof threshold === 'number' && threshold !== 1 && threshold !== 0) {
    findings.refuse(invalid(threshold, 'success-threshold'), 'successThreshold');
  }
});

/** Rules of containers. */
export const CONTAINER_RULES: RuleTable = {
  Container: all(
    fields({
      name: dnsLabel,
      livenessProbe: once,
      startupProbe: once,
      readinessProbe: object((probe, findings) => {
        if (!has(probe, 'terminationGracePeriodSeconds')) return;
        findings.refuse(forbidden('readiness-grace'), 'terminationGracePeriodSeconds');
      }),
    }),
    object((container, findings) => {
      if (textAt(container, 'image') === undefined) {
        findings.refuseWhole(required('image', 'nothing-to-run'));
      }
      checkMounts(container, findings);
    }),
  ),
  ContainerPort: fields({ name: orEmpty(portName), containerPort: portNumber, hostPort: between(0, 65_535) }),
  ContainerResizePolicy: fields({
    resourceName: oneOf('cpu', 'memory'),
    restartPolicy: oneOf('NotRequired', 'RestartContainer'),
  }),
};

const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

function checkMounts(container: Fields, findings: Findings): void {
  const privileged = own(objectIn(container, 'securityContext'), 'privileged') === true;
  const check = object((mount) => {
    findings.at('mountPath', own(mount, 'mountPath'), notEmpty);
    findings.at('subPath', own(mount, 'subPath'), pathBelow);
    findings.at('subPathExpr', own(mount, 'subPathExpr'), pathBelow);
    if (textAt(mount, 'subPath') !== undefined && textAt(mount, 'subPathExpr') !== undefined) {
      findings.refuseWhole(forbidden('one-of-several', { other: 'subPath' }), 'subPathExpr');
    }
    const propagation = own(mount, 'mountPropagation');
    findings.at('mountPropagation', propagation, oneOf('None', 'HostToContainer', 'Bidirectional'));
    if (propagation === 'Bidirectional' && !privileged) {
      findings.refuse(invalid(propagation, 'mount-propagation'), 'mountPropagation');
    }
    const recursive = own(mount, 'recursiveReadOnly');
    findings.at('recursiveReadOnly', recursive, oneOf(...RECURSIVE));
    if (recursive !== 'Enabled' && recursive !== 'IfPossible') return;
    if (own(mount, 'readOnly') !== true || (propagation ?? 'None') !== 'None') {
      findings.refuse(invalid(recursive, 'mount-recursion'), 'recursiveReadOnly');
    }
  });
  findings.at('volumeMounts', own(container, 'volumeMounts'), each(check));
}

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

function fieldRef(place: keyof typeof FIELD_PATHS): Check {
  return object((value, findings) => {
    const path = own(value, 'fieldPath');
    if (has(value, 'apiVersion') && own(value, 'apiVersion') !== 'v1' && own(value, 'apiVersion') !== '') {
      findings.refuse(notSupported(own(value, 'apiVersion'), ['v1']), 'apiVersion');
    }
    if (typeof path !== 'string' || FIELD_PATHS[place].includes(path)) return;
    const [, kind, key = ''] = /^metadata\.(annotations|labels)\['(.*)'\]$/s.exec(path) ?? [];
    if (kind !== undefined && isLabelKey(kind === 'labels' ? key : key.toLowerCase())) return;
    findings.refuse(invalid(path, 'pod-field', { known: FIELD_PATHS[place].join(', ') }), 'fieldPath');
  });
}

const RESOURCE = /^(?:limits|requests)\.(?:cpu|memory|ephemeral-storage|hugepages-.*)$/s;

const CPU_DIVISORS = [1, 0.001];

const BYTE_DIVISORS = [0, 3, 6, 9, 12, 15, 18]
  .map((power) => 10 ** power)
  .concat([10, 20, 30, 40, 50, 60].map((power) => 2 ** power));

/** In a volume, a reference also needs the container's name. */
function resourceFieldRef(place: keyof typeof FIELD_PATHS): Check {
  return object((value, findings) => {
    const resource = own(value, 'resource');
    if (place === 'volume' && textAt(value, 'containerName') === undefined) {
      findings.refuseWhole(required('containerName', 'resource-container'));
    } else if (typeof resource === 'string' && !RESOURCE.test(resource)) {
      findings.refuse(invalid(resource, 'resource-field'), 'resource');
    }
    const divisor = quantityIn(own(value, 'divisor')) ?? 0;
    const allowed = typeof resource === 'string' && resource.endsWith('.cpu') ? CPU_DIVISORS : BYTE_DIVISORS;
    if (divisor !== 0 && typeof resource === 'string' && RESOURCE.test(resource) && !allowed.includes(divisor)) {
      findings.refuse(invalid(own(value, 'divisor'), 'divisor'), 'divisor');
    }
  });
}

const keyRef = all(
  fields({ key: dataKey, name: dnsSubdomain }),
  object((value, findings) => {
    if (!has(value, 'name')) findings.refuseWhole(required('name', 'key-reference'));
  }),
);

const wholeRef = all(
  fields({ name: dnsSubdomain }),
  object((value, findings) => {
    if (!has(value, 'name')) findings.refuseWhole(required('name', 'variables-reference'));
  }),
);

const oneSource = exactlyOne('configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef');

/** Rules of containers' environments and files from the pod, Secrets and ConfigMaps. */
export const ENVIRONMENT_RULES: RuleTable = {
  EnvVar: all(
    fields({ name: environmentName, valueFrom: oneSource }),
    object((variable, findings) => {
      if (!has(variable, 'valueFrom') || textAt(variable, 'value') === undefined) return;
      findings.refuseWhole(forbidden('one-of-several', { other: 'valueFrom' }), 'value');
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
    exactlyOne('configMapRef', 'secretRef'),
  ),
  DownwardAPIVolumeFile: all(
    fields({
      path: all(notEmpty, pathOfFile),
      mode: between(0, 0o777),
      fieldRef: fieldRef('volume'),
      resourceFieldRef: resourceFieldRef('volume'),
    }),
    exactlyOne('fieldRef', 'resourceFieldRef'),
  ),
};

/** Rules of probes and hooks. */
export const PROBE_RULES: RuleTable = {
  Probe: all(
    exactlyOne('exec', 'httpGet', 'tcpSocket', 'grpc'),
    fields({
      initialDelaySeconds: notNegative,
      timeoutSeconds: notNegative,
      periodSeconds: notNegative,
      successThreshold: notNegative,
      failureThreshold: notNegative,
      terminationGracePeriodSeconds: positive,
    }),
  ),
  LifecycleHandler: exactlyOne('exec', 'httpGet', 'sleep', 'tcpSocket'),
  ExecAction: object((action, findings) => {
    if (listIn(action, 'command').length > 0) return;
    findings.refuseWhole(required('command', 'nothing-to-run'));
  }),
  HTTPGetAction: fields({ port, httpHeaders: each(fields({ name: headerName })) }),
  TCPSocketAction: fields({ port }),
  GRPCAction: fields({ port: portNumber }),
};

const localhostProfile = (kind: 'seccomp' | 'AppArmor'): Check =>
  object((profile, findings) => {
    const isLocal = own(profile, 'type') === 'Localhost';
    if (isLocal === has(profile, 'localhostProfile')) return;
    findings.refuseWhole(
      isLocal ? required('localhostProfile', 'node-profile', { profile: kind }) : forbidden('node-profile'),
      ...(isLocal ? [] : ['localhostProfile']),
    );
  });

/** Rules of containers' permissions. */
export const SECURITY_RULES: RuleTable = {
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
      findings.refuseWhole(invalid(false, 'privilege-escalation', { setting: has }), 'allowPrivilegeEscalation');
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
        findings.refuse(invalid(name, 'profile-name'), 'localhostProfile');
      }
    }),
  ),
};
