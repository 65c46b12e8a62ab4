import { sha256 } from '../../../../../lib/linkerd/charts/linkerd-control-plane/metadata';
import { find, podOf, render } from '../fixture';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

test('trust anchors from elsewhere are left to it', () => {
  expect(find(render({ identityTrustAnchorsPEM: PEM }), 'ConfigMap', 'linkerd-identity-trust-roots')).toBeUndefined();
});

test('trust anchors of the values are where the proxies look for them', () => {
  const values = { identity: { externalCA: false }, identityTrustAnchorsPEM: PEM };
  expect(find(render(values), 'ConfigMap', 'linkerd-identity-trust-roots')).toMatchObject({
    data: { 'ca-bundle.crt': PEM.trim() },
  });
});

test('pods restart when the anchors of the values change', () => {
  const { annotations } = podOf({ identityTrustAnchorsPEM: PEM }, 'destination').metadata ?? {};
  expect(annotations?.['linkerd.io/trust-root-sha256']).toBe(sha256(PEM));
});
