import { checkIgnoreDifferences, injectedFields, reconciledFields } from '#lib/gitops/argocd/ignore-differences';
import { configDefinition } from '../../support/operator/config-definition';
import { cluster, folder, object } from './inventories';

const PKI = [
  'cert-manager.io/Issuer',
  'cert-manager.io/ClusterIssuer',
  'cert-manager.io/Certificate',
  'trust.cert-manager.io/Bundle',
  '/Secret',
];

test('Argo CD ignores the CAs that cainjector injects into deployed objects', () => {
  expect(injectedFields(new Set(['admissionregistration.k8s.io/MutatingWebhookConfiguration', ...PKI]))).toEqual([
    {
      group: 'admissionregistration.k8s.io',
      kind: 'MutatingWebhookConfiguration',
      jqPathExpressions: ['.webhooks[]?.clientConfig.caBundle'],
    },
  ]);
  expect(
    injectedFields(
      new Set(['apiregistration.k8s.io/APIService', 'admissionregistration.k8s.io/ValidatingWebhookConfiguration']),
    ).map(({ kind, jsonPointers, jqPathExpressions }) => [kind, jsonPointers ?? jqPathExpressions]),
  ).toEqual([
    ['ValidatingWebhookConfiguration', ['.webhooks[]?.clientConfig.caBundle']],
    ['APIService', ['/spec/caBundle']],
  ]);
});

test('Argo CD ignores no field of the PKI', () => expect(injectedFields(new Set(PKI))).toEqual([]));

describe('the values in ConfigMap linkerd-config', () => {
  const { apiVersion, kind, metadata } = configDefinition();
  const operator = folder('linkerd-reconciler', { objects: [{ apiVersion, kind, name: metadata.name }] });
  const linkerd = folder('linkerd', { objects: [object('ConfigMap', 'linkerd-config', 'linkerd')] });

  test('are ignored in clusters with an operator', () => {
    expect(reconciledFields([cluster('home', linkerd, operator)])).toEqual([
      { group: '', kind: 'ConfigMap', name: 'linkerd-config', jsonPointers: ['/data/values'] },
    ]);
  });
});

test.each([
  { kind: 'Secret', jsonPointers: ['/data'] },
  { group: 'apps', kind: 'Deployment', jqPathExpressions: ['.spec.replicas'] },
  { kind: 'Service', managedFieldsManagers: ['cloud-controller-manager'] },
])('synth accepts the ignored difference %j', (entry) => expect(checkIgnoreDifferences([entry])).toEqual([]));

test('synth refuses an ignored difference without any field', () => {
  expect(checkIgnoreDifferences([{ kind: 'Secret' }])).toMatchObject([
    { code: 'ignore-difference-refused', parameters: { field: 'ignoreDifferences[0]', kind: 'Secret' } },
  ]);
});

test('synth refuses a JSON pointer without a slash, and suggests the right one', () => {
  const parameters = { field: 'ignoreDifferences[0]', pointer: '.spec.caBundle', suggestion: '/spec/caBundle' };
  expect(checkIgnoreDifferences([{ kind: 'APIService', jsonPointers: ['.spec.caBundle'] }])).toMatchObject([
    { code: 'ignore-difference-refused', parameters },
  ]);
});

test('synth refuses an ignored difference with a template expression', () => {
  expect(checkIgnoreDifferences([{ kind: 'X', jqPathExpressions: ['.a | {{b}}'] }])).toMatchObject([
    { code: 'template-in-expression', parameters: { field: 'ignoreDifferences[0]' } },
  ]);
});
