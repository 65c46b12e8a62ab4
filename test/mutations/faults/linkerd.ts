import type { Fault } from '../fault';

export const linkerd: readonly Fault[] = [
  {
    file: 'lib/checks/policy/probe-rules.ts',
    from: 'const isProbe = guard.routes.length === 0 && !isHook;',
    to: 'const isProbe = guard.routes.length === 0;',
    why: 'a lifecycle hook is allowed like a probe',
  },
  {
    file: 'lib/checks/policy/probe-rules.ts',
    from: "return isOpenFor('GET') && !isOpenFor('POST');",
    to: "return isOpenFor('GET');",
    why: 'a path that is open to all requests is reported',
  },
  {
    file: 'lib/checks/policy/server-rules.ts',
    from: "accessPolicy === 'audit' || accessPolicy === 'all-unauthenticated'",
    to: "accessPolicy === 'all-unauthenticated'",
    why: 'a Server that only audits the control plane is refused',
  },
  {
    file: 'lib/checks/policy/server-rules.ts',
    from: 'matches.some(isEverything)',
    to: 'matches.every(isEverything)',
    why: 'a route with one match of everything counts as partial',
  },
  {
    file: 'lib/checks/policy/lockout-warnings.ts',
    from: 'const namespaces = any === true ? undefined : itemsOf(matchNames ?? [own]);',
    to: 'const namespaces = itemsOf(matchNames ?? [own]);',
    why: 'a monitor of all namespaces counts as a monitor of its namespace',
  },
  {
    file: 'lib/checks/policy/lockout-warnings.ts',
    from: "guard.server === undefined && guard.mode === 'deny'",
    to: "guard.mode === 'deny'",
    why: 'pods with a Server count as unreachable',
  },
  {
    file: 'lib/checks/policy/proxy-settings.ts',
    from: "return value === null ? '' : `${value}`;",
    to: 'return value === null ? byDefault : `${value}`;',
    why: 'ports that the user removed are skipped as by default',
  },
  {
    file: 'packages/linkerd/renderers/heartbeat-schedule.ts',
    from: 'fnv1a(name) % (24 * 60)',
    to: 'fnv1a(name) % 60',
    why: 'all clusters send their heartbeats in one hour',
  },
  {
    file: 'packages/linkerd/renderers/own-values.ts',
    from: 'return !isUnknown && valueIn(closest.defaults, path) === undefined;',
    to: 'return !isUnknown;',
    why: 'a value that was removed is accepted',
  },
  {
    file: 'packages/linkerd/renderers/missing-values.ts',
    from: "(images.every(isGiven) ? [] : ['linkerdVersion'])",
    to: "(images.some(isGiven) ? [] : ['linkerdVersion'])",
    why: 'one image with a version is enough',
  },
  {
    file: 'packages/linkerd/renderers/linkerd-control-plane/cluster-schedule.ts',
    from: 'key === CHECKSUM && isOutdated(value) ? checksum : value',
    to: 'key === CHECKSUM ? checksum : value',
    why: 'the checksum that a user set is replaced',
  },
  {
    file: 'packages/linkerd/renderers/linkerd-control-plane/proxy/proxy-init.ts',
    from: 'proxy.gid !== undefined && proxy.gid >= 0',
    to: 'proxy.gid !== undefined && proxy.gid > 0',
    why: 'group 0 is left out',
  },
  {
    file: 'packages/linkerd/renderers/linkerd-control-plane/proxy/proxy-init.ts',
    from: '!isEmpty(init.closeWaitTimeoutSecs) || init.privileged === true',
    to: 'init.privileged === true',
    why: 'a container that sets a timeout lacks the privilege for it',
  },
  {
    file: 'lib/checks/linkerd/fleet-releases.ts',
    from: 'known === undefined || compareReleases(known.release, release) < 0',
    to: 'known === undefined || compareReleases(known.release, release) > 0',
    why: 'the oldest release of a ring counts instead of the newest',
  },
];
