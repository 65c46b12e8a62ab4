import { TrustAnchor } from '#lib/constructs/pki/trust-anchor';
import { fixture, objectOf, pkiChart } from './mesh';

const NAME = 'linkerd-issuers';

function policyOf(chart: Parameters<typeof objectOf>[0]) {
  const { spec } = objectOf(chart, 'ValidatingAdmissionPolicy', NAME) as unknown as {
    spec: {
      failurePolicy: string;
      matchConstraints: { resourceRules: object[] };
      matchConditions: { expression: string }[];
      validations: { expression: string }[];
    };
  };
  return { ...spec, condition: spec.matchConditions[0]?.expression, validation: spec.validations[0]?.expression };
}

test('the admission policy ignores an issuer that does not belong to the mesh', () => {
  const trustAnchor = TrustAnchor.fromPem({ certificates: fixture('anchor'), issuer: { name: 'vault' } });
  const { chart } = pkiChart({ trustAnchor });
  expect(policyOf(chart).condition).toContain('name in ["linkerd-webhook-issuer"]');
  expect(policyOf(chart).validation).not.toContain('identity');
});
