import { argumentOf, containerOf } from '../fixture';

const init = (proxyInit: object, more: object = {}) =>
  containerOf({ proxyInit: { ...proxyInit }, ...more }, 'destination', 'linkerd-init');

test('ports of the proxy are spared, and those that values name', () => {
  expect(argumentOf(init({}), '--inbound-ports-to-ignore')).toBe('4190,4191,4567,4568');
  expect(argumentOf(init({ ignoreInboundPorts: '' }), '--inbound-ports-to-ignore')).toBe('4190,4191');
});

test('controllers reach the API server before their proxy runs, and nothing else', () => {
  expect(argumentOf(init({ ignoreOutboundPorts: '25' }), '--outbound-ports-to-ignore')).toBe('443,6443');
  expect(argumentOf(init({ kubeAPIServerPorts: '' }), '--outbound-ports-to-ignore')).toBeUndefined();
});

test('only root may set a kernel parameter', () => {
  const container = init({ closeWaitTimeoutSecs: 30, runAsRoot: true });
  expect(argumentOf(container, '--timeout-close-wait-secs')).toBe('30');
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: true,
    privileged: true,
    runAsUser: 0,
    runAsGroup: 0,
    runAsNonRoot: false,
  });
});

test('user zero is nobody unless the values say root', () => {
  expect(init({ runAsUser: 0, runAsGroup: 0 }).securityContext).toMatchObject({ runAsUser: 65534, runAsGroup: 65534 });
});

test('capabilities come on top of those that redirecting needs', () => {
  const { capabilities } = init({ capabilities: { add: ['SYS_ADMIN'], drop: ['ALL'] } }).securityContext ?? {};
  expect(capabilities).toEqual({ add: ['NET_ADMIN', 'NET_RAW', 'SYS_ADMIN'], drop: ['ALL'] });
});

test('a group of the proxy is spared like its user', () => {
  expect(argumentOf(init({}), '--proxy-gid')).toBeUndefined();
  expect(argumentOf(init({}, { proxy: { gid: 0 } }), '--proxy-gid')).toBe('0');
});

test('users of OpenShift stay whole numbers', () => {
  expect(argumentOf(init({}, { proxy: { uid: 1000680000 } }), '--proxy-uid')).toBe('1000680000');
});
