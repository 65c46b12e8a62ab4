import {
  all,
  type Check,
  each,
  type Fields,
  type Findings,
  fields,
  forbidden,
  has,
  invalid,
  listIn,
  object,
  objectIn,
  own,
  required,
  textAt,
} from './check';
import type { RuleTable } from './rule-table';
import { between, dnsLabel, notEmpty, oneOf, orEmpty, pathBelow, portName, portNumber } from './scalars';

/** The containers that end before the others start have nothing to probe or to stop. */
function initContainer(value: unknown, findings: Findings): void {
  object((container) => {
    if (own(container, 'restartPolicy') === 'Always') return;
    for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
      if (!has(container, field)) continue;
      findings.refuse(
        forbidden('an init container that ends does not have it', 'remove it, or set restartPolicy: Always'),
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
    findings.refuse(invalid(threshold, 'this probe succeeds at its first success', 'write 1'), 'successThreshold');
  }
});

/** Rules of containers. */
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
          forbidden('the kubelet does not stop a container that is not ready', 'remove it'),
          'terminationGracePeriodSeconds',
        );
      }),
    }),
    object((container, findings) => {
      if (textAt(container, 'image') === undefined) {
        findings.refuseWhole(required('image', 'there is nothing to run', 'set the image'));
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
};

function checkRestart(container: Fields, findings: Findings): void {
  if (listIn(container, 'restartPolicyRules').length > 0) {
    findings.refuse(forbidden('it requires an alpha feature', 'remove it'), 'restartPolicyRules');
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
      findings.refuseWhole(forbidden('subPath is set, and a mount has one path', 'keep one of them'), 'subPathExpr');
    }
    const propagation = own(mount, 'mountPropagation');
    findings.at('mountPropagation', propagation, oneOf('None', 'HostToContainer', 'Bidirectional'));
    if (propagation === 'Bidirectional' && !privileged) {
      findings.refuse(
        invalid(propagation, 'only a privileged container may use it', 'write HostToContainer'),
        'mountPropagation',
      );
    }
    const recursive = own(mount, 'recursiveReadOnly');
    findings.at('recursiveReadOnly', recursive, oneOf(...RECURSIVE));
    if (recursive !== 'Enabled' && recursive !== 'IfPossible') return;
    if (own(mount, 'readOnly') !== true || (propagation ?? 'None') !== 'None') {
      findings.refuse(
        invalid(recursive, 'the mount must be read-only and must not be propagated', 'set readOnly: true'),
        'recursiveReadOnly',
      );
    }
  });
  findings.at('volumeMounts', own(container, 'volumeMounts'), each(check));
}
