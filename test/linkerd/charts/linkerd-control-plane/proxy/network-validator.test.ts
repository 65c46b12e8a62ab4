import { argumentOf, containerOf } from '../fixture';

const validator = (values: object) =>
  containerOf({ cniEnabled: true, ...values }, 'identity', 'linkerd-network-validator');

test('the validator tries the family of addresses that is there', () => {
  expect(argumentOf(validator({}), '--connect-addr')).toBe('1.1.1.1:20001');
  expect(argumentOf(validator({ disableIPv6: false }), '--connect-addr')).toBe('[fd00::1]:20001');
  expect(argumentOf(validator({ disableIPv6: false }), '--listen-addr')).toBe('[::]:4140');
});

test('values may name other addresses', () => {
  const networkValidator = { connectAddr: '10.0.0.1:1', listenAddr: '0.0.0.0:2' };
  expect(argumentOf(validator({ networkValidator }), '--connect-addr')).toBe('10.0.0.1:1');
  expect(argumentOf(validator({ networkValidator }), '--listen-addr')).toBe('0.0.0.0:2');
});

const NOBODY = { runAsUser: 65534, runAsGroup: 65534, runAsNonRoot: true, readOnlyRootFilesystem: true };

test.each([null, {}])('a security context that is %j is that of nobody, as the chart has it', (securityContext) => {
  expect(validator({ networkValidator: { securityContext } }).securityContext).toMatchObject(NOBODY);
});

test('values may have it without a security context, and with another', () => {
  expect(validator({ networkValidator: { enableSecurityContext: false } })).not.toHaveProperty(
    'securityContext.runAsUser',
  );
  expect(validator({ networkValidator: { enableSecurityContext: null } }).securityContext).toMatchObject(NOBODY);
  expect(validator({ networkValidator: { securityContext: { runAsUser: 7 } } }).securityContext).toMatchObject({
    runAsUser: 7,
    runAsGroup: 65534,
  });
});
