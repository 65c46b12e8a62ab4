import type { Values } from '#base/values';
import { NEWEST, podIn, podOf, render } from './fixture';

// Values that the comparisons with Helm lack: mainly zero and null, which the chart distinguishes from missing ones.

function containerOf(values: Values, component: string, name: string) {
  const { containers = [], initContainers = [] } = podOf(values, component).spec ?? {};
  return [...containers, ...initContainers].find((one) => one.name === name);
}

test.each<[Values, object]>([
  [{ runtime: null }, {}],
  [{ runtime: { workers: null } }, {}],
  [{ runtime: { workers: { minimum: null, maximum: 4 } } }, { CORES: '1', CORES_MIN: '1', CORES_MAX: '4' }],
  [{ runtime: { workers: { minimum: 0, maximum: 4 } } }, { CORES: '1', CORES_MIN: '1', CORES_MAX: '4' }],
])('a proxy with the values %j has the variables for CPU cores %j', (proxy, expected) => {
  const { env = [] } = containerOf({ proxy }, 'proxy-injector', 'linkerd-proxy') ?? {};
  const cores = env.filter(({ name }) => name.startsWith('LINKERD2_PROXY_CORES'));
  expect(Object.fromEntries(cores.map(({ name, value }) => [name.slice('LINKERD2_PROXY_'.length), value]))).toEqual(
    expected,
  );
});

test('linkerd-init gets the group 0 of the proxy, and a large user ID without an exponent', () => {
  const args = containerOf({ proxy: { uid: 1000680000, gid: 0 } }, 'destination', 'linkerd-init')?.args?.join(' ');
  expect(args).toContain('--proxy-uid 1000680000');
  expect(args).toContain('--proxy-gid 0');
});

test('the network validator runs as user 65534 by default, and has no security context if it is turned off', () => {
  const contextWith = (networkValidator: Values) =>
    containerOf({ cniEnabled: true, networkValidator }, 'identity', 'linkerd-network-validator')?.securityContext;
  const nobody = { runAsUser: 65534, runAsGroup: 65534, runAsNonRoot: true, readOnlyRootFilesystem: true };
  expect(contextWith({ securityContext: null })).toMatchObject(nobody);
  expect(contextWith({ enableSecurityContext: null })).toMatchObject(nobody);
  expect(contextWith({ enableSecurityContext: false })).toBeUndefined();
});

test('the network validator of 2.14 has no security context if enableSecurityContext is null', () => {
  const values = { cniEnabled: true, networkValidator: { enableSecurityContext: null } };
  const [validator] =
    podIn(render(values, { ...NEWEST, validatorUser: 'switch' }), 'identity').spec?.initContainers ?? [];
  expect(validator).toMatchObject({ name: 'linkerd-network-validator', securityContext: undefined });
});

test('linkerd-init adds the user’s capabilities to NET_ADMIN and NET_RAW', () => {
  const proxyInit = { capabilities: { add: ['SYS_ADMIN'], drop: ['ALL'] } };
  const { securityContext } = containerOf({ proxyInit }, 'destination', 'linkerd-init') ?? {};
  expect(securityContext?.capabilities).toEqual({ add: ['NET_ADMIN', 'NET_RAW', 'SYS_ADMIN'], drop: ['ALL'] });
});

test('proxy.securityContext replaces the proxy’s default security context', () => {
  const proxy = { gid: 1001, securityContext: { runAsUser: 4242 } };
  expect(containerOf({ proxy }, 'identity', 'linkerd-proxy')?.securityContext).toEqual({ runAsUser: 4242 });
});

test('the injector’s webhook gets a default timeout for zero, a CA without blanks, and no selector for null', () => {
  const webhookWith = (proxyInjector: Values) => {
    const configuration = render({ proxyInjector }).find(({ kind }) => kind === 'MutatingWebhookConfiguration');
    const { metadata, webhooks } = JSON.parse(JSON.stringify(configuration));
    return { annotations: metadata.annotations, ...webhooks[0] };
  };
  expect(webhookWith({ timeoutSeconds: 0 }).timeoutSeconds).toBe(10);
  expect(webhookWith({ objectSelector: null })).not.toHaveProperty('objectSelector');
  expect(webhookWith({ objectSelector: { matchExpressions: null } }).objectSelector).toEqual({});
  const pinned = webhookWith({ injectCaFrom: '', caBundle: 'CA\n' });
  expect(pinned.clientConfig.caBundle).toBe(Buffer.from('CA').toString('base64'));
  expect(pinned.annotations).toBeUndefined();
});
