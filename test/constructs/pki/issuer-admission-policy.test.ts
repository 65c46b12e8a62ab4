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

test("looks at no requests but those to the mesh's ClusterIssuers", () => {
  const { chart } = pkiChart();
  expect(policyOf(chart).condition).toBe(
    'has(object.spec.issuerRef.kind) && object.spec.issuerRef.kind == "ClusterIssuer"' +
      ' && (!has(object.spec.issuerRef.group) || object.spec.issuerRef.group in ["", "cert-manager.io"])' +
      ' && object.spec.issuerRef.name in ["linkerd-identity-issuer","linkerd-webhook-issuer"]',
  );
});

test('lets the control plane have identity issuers, and webhooks their certificates', () => {
  const { chart, pki } = pkiChart({ controlPlaneNamespace: 'mesh' });
  pki.webhookCertificate(chart, 'tap', { service: 'tap', namespace: 'linkerd-viz' });
  pki.webhookCertificate(chart, 'injector', { service: 'linkerd-proxy-injector', namespace: 'mesh' });
  expect(policyOf(chart).validation).toBe(
    '(object.spec.issuerRef.name == "linkerd-identity-issuer" && request.namespace in ["mesh"])' +
      ' || (object.spec.issuerRef.name == "linkerd-webhook-issuer" && request.namespace in ["linkerd-viz","mesh"])',
  );
});

test("an issuer that is not the mesh's is nobody's business", () => {
  const trustAnchor = TrustAnchor.fromPem({ certificates: fixture('anchor'), issuer: { name: 'vault' } });
  const { chart } = pkiChart({ trustAnchor });
  expect(policyOf(chart).condition).toContain('name in ["linkerd-webhook-issuer"]');
  expect(policyOf(chart).validation).not.toContain('identity');
});
