import { containerOf, podOf } from '../fixture';

function names(values: object, component: string) {
  const { containers = [], initContainers = [] } = podOf({ proxy: { ...values } }, component).spec ?? {};
  return [containers, initContainers].map((list) => list.map(({ name }) => name));
}

test('proxies run before the controllers as native sidecars', () => {
  expect(names({}, 'proxy-injector')).toEqual([['proxy-injector'], ['linkerd-init', 'linkerd-proxy']]);
  expect(containerOf({}, 'proxy-injector', 'linkerd-proxy')).toMatchObject({ restartPolicy: 'Always' });
});

test('proxies that are no native sidecars come first, and hold up the controllers', () => {
  expect(names({ nativeSidecar: false }, 'proxy-injector')).toEqual([
    ['linkerd-proxy', 'proxy-injector'],
    ['linkerd-init'],
  ]);
  const { lifecycle, startupProbe } = containerOf(
    { proxy: { nativeSidecar: false, ports: { admin: 5191 } } },
    'proxy-injector',
    'linkerd-proxy',
  );
  expect(lifecycle?.postStart?.exec?.command).toContain('--port=5191');
  expect(startupProbe).toBeUndefined();
});

test('nobody waits for proxies that are not awaited', () => {
  const native = containerOf({ proxy: { await: false } }, 'destination', 'linkerd-proxy');
  expect(native).not.toHaveProperty('startupProbe');
  const plain = containerOf({ proxy: { await: false, nativeSidecar: false } }, 'destination', 'linkerd-proxy');
  expect(plain).not.toHaveProperty('lifecycle');
});

test("identity's proxy is never waited for, because it waits for identity", () => {
  expect(names({}, 'identity')).toEqual([['identity', 'linkerd-proxy'], ['linkerd-init']]);
  const proxy = containerOf({}, 'identity', 'linkerd-proxy');
  expect(proxy).not.toHaveProperty('startupProbe');
  expect(proxy).not.toHaveProperty('lifecycle');
  expect(proxy).not.toHaveProperty('restartPolicy');
});

test('a security context of the user replaces ours', () => {
  const proxy = { gid: 1001, securityContext: { runAsUser: 4242 } };
  expect(containerOf({ proxy }, 'identity', 'linkerd-proxy').securityContext).toEqual({ runAsUser: 4242 });
});
