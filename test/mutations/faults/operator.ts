import type { Fault } from '../fault';

export const operator: readonly Fault[] = [
  {
    file: 'operator/src/propagation/plan/assess.ts',
    from: "if (criteria.unsettledBefore?.has(id)) return { excuse: 'it was already incomplete before the restart' };",
    to: '',
    why: 'a rollout that was stuck before the change counts against the configuration',
  },
  {
    file: 'operator/src/propagation/plan/assess.ts',
    from: 'progressDeadlineSeconds * 500;',
    to: 'progressDeadlineSeconds * 1000;',
    why: 'a failing pod gets the whole deadline instead of half of it',
  },
  {
    file: 'operator/src/propagation/plan/wave.ts',
    from: 'limits.maxUnavailableWorkloads - limits.restarting.length - limits.unseen.length',
    to: 'limits.maxUnavailableWorkloads - limits.restarting.length',
    why: 'restarts that no cache shows yet take no slot',
  },
  {
    file: 'operator/src/propagation/plan/wave.ts',
    from: 'begun.has(id) && !state.isOverdue ? 0 : 2',
    to: 'begun.has(id) ? 0 : 2',
    why: 'a stuck restart comes first',
  },
  {
    file: 'operator/src/propagation/plan/plan-wave.ts',
    from: 'at > now.getTime() ? Math.min(least, at) : least',
    to: 'Math.min(least, at)',
    why: 'the operator waits for a time in the past',
  },
  {
    file: 'operator/src/propagation/objects/disruption-budget.ts',
    from: 'isObserved(budget) ? (budget.status?.disruptionsAllowed ?? 0) : 0',
    to: 'budget.status?.disruptionsAllowed ?? 0',
    why: 'a budget counts although its controller has not observed the last change',
  },
  {
    file: 'operator/src/multus/mutate-pod.ts',
    from: '(network.namespace || namespace) === namespace',
    to: '(network.namespace ?? namespace) === namespace',
    why: 'an empty namespace does not stand for the namespace of the pod',
  },
  {
    file: 'operator/src/multus/mutate-pod.ts',
    from: 'return isOnHostNetwork || unattachedNamespaces(settings).includes(namespace);',
    to: 'return unattachedNamespaces(settings).includes(namespace);',
    why: 'pods on the host network are attached',
  },
  {
    file: 'operator/src/config/plan/choose-baseline.ts',
    from: 'kept === undefined || (kept.adoptedBy !== uid && !owners.ours)',
    to: 'kept === undefined || kept.adoptedBy !== uid',
    why: 'another LinkerdConfig adopts the values of its predecessor as the baseline',
  },
  {
    file: 'operator/src/config/plan/plan-config.ts',
    from: 'return lastHash === undefined ? configHash(written.values) === kept?.adoptedHash : written.hash === lastHash;',
    to: 'return written.hash === lastHash;',
    why: 'the adopted values count as drift',
  },
  {
    file: 'operator/src/config/plan/plan-config.ts',
    from: 'if (kept.adoptedBy !== config.metadata.uid) return undefined;',
    to: '',
    why: 'the baseline of another LinkerdConfig is restored',
  },
  {
    file: 'operator/src/config/checks/check-injection-change.ts',
    from: 'return JSON.stringify([code, cause, parameters]);',
    to: 'return JSON.stringify([code, cause]);',
    why: 'a known problem hides others with the same code and cause',
  },
  {
    file: 'operator/src/pki/known-certificate.ts',
    from: '[SERVER, CLIENT].every((one) => purposes.includes(one))',
    to: '[SERVER, CLIENT].some((one) => purposes.includes(one))',
    why: 'a CA for only one side of TLS is accepted',
  },
  {
    file: 'operator/src/pki/issuances.ts',
    from: 'metadata.annotations?.[CERTIFICATE_REVISION] === `${revision}` &&\n    metadata.ownerReferences?.some((owner) => owner.uid === uid) === true',
    to: 'metadata.annotations?.[CERTIFICATE_REVISION] === `${revision}`',
    why: 'a request that names a Certificate but does not belong to it counts',
  },
  {
    file: 'operator/src/pki/certificate-fields.ts',
    from: 'if (end > bytes.length) return undefined;',
    to: '',
    why: 'a truncated element is read',
  },
  {
    file: 'operator/src/rotation/renewal-step.ts',
    from: '!issuing && isNew && isReady(certificate)',
    to: '!issuing && isNew',
    why: 'a certificate counts as renewed before it is ready',
  },
  {
    file: 'operator/src/exchange/copied-report.ts',
    from: 'if (name !== member) return { refused: `the report is of cluster ${name}` };',
    to: '',
    why: 'the report of another cluster is copied',
  },
  {
    file: 'operator/src/anchor/status/overdue.ts',
    from: 'now.getTime() < wait.since + PATIENCE * (wait.expected - wait.since)',
    to: 'now.getTime() < wait.expected',
    why: 'a wait is overdue as soon as it lasts longer than expected',
  },
  {
    file: 'operator/src/flags/read-flags.ts',
    from: 'environment[variable] || undefined',
    to: 'environment[variable]',
    why: 'an empty variable counts as a value',
  },
];
