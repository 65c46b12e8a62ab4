import type { Fault } from '../fault';

export const kubernetes: readonly Fault[] = [
  {
    file: 'packages/kubernetes/cron.ts',
    from: 'if (start < min || end > max)',
    to: 'if (start < min || start > max)',
    why: 'the end of a range is not checked',
  },
  {
    file: 'packages/kubernetes/cron.ts',
    from: 'return step > 0n &&',
    to: 'return step >= 0n &&',
    why: 'a step of 0 is accepted',
  },
  {
    file: 'packages/base/suggest.ts',
    from: '(b.startsWith(stem) || b.endsWith(a))',
    to: 'b.startsWith(stem)',
    why: 'the second half of a compound is not recognized',
  },
  {
    file: 'packages/kubernetes/objects/pod-places.ts',
    from: 'paths.find((path) => valueAtPointer(object, parent(path)) !== undefined) ?? paths[0]',
    to: 'paths[0]',
    why: 'the first path counts although only another one exists',
  },
  {
    file: 'lib/checks/webhook-check.ts',
    from: "name.slice(1) === host.slice(host.indexOf('.'))",
    to: 'host.endsWith(name.slice(1))',
    why: 'a wildcard covers several labels',
  },
  {
    file: 'lib/checks/certificate-checks.ts',
    from: 'renewBefore < duration',
    to: 'renewBefore <= duration',
    why: 'a renewal at the moment of issue is accepted',
  },
  {
    file: 'lib/checks/certificate-checks.ts',
    from: "const namespace = kind === 'Issuer' ? metadata.namespace : undefined;",
    to: 'const { namespace } = metadata;',
    why: 'a ClusterIssuer is looked up in a namespace',
  },
  {
    file: 'lib/checks/known-kinds.ts',
    from: 'rank(type) < rank(known)',
    to: 'rank(type) !== rank(known)',
    why: 'a newer version is reported as outdated',
  },
  {
    file: 'packages/kubernetes/api-rules/selectors.ts',
    from: "own(toleration, 'effect') !== 'NoExecute'",
    to: "own(toleration, 'effect') === 'NoSchedule'",
    why: 'tolerationSeconds is accepted with other effects',
  },
  {
    file: 'packages/kubernetes/api-rules/resources.ts',
    from: '(page === undefined || page <= 0 || amount % page !== 0)',
    to: '(page === undefined || page <= 0)',
    why: 'a fraction of a huge page is accepted',
  },
  {
    file: 'packages/kubernetes/schedule-gaps.ts',
    from: 'eitherIsAny ? matchesMonth && matchesWeek : matchesMonth || matchesWeek',
    to: 'matchesMonth && matchesWeek',
    why: 'two limits of a day must both match',
  },
];
