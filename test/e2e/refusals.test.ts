import { type ClusterFacts, RUN_LABEL, refusals } from './refusals';

const EMPTY: ClusterFacts = {
  version: 'v1.34.4',
  definitions: ['widgets.example.com'],
  earlierDefinitions: [],
  namespaces: [{ name: 'default', labels: {} }],
  webhooks: ['policy.example.com'],
  nodes: 1,
  isAdministrator: true,
  missingCharts: [],
};
const INTENTION = { namespaces: ['linkerd', 'linkerd-e2e'], existingCertManager: false };

const codes = (facts: Partial<ClusterFacts>, intention: Partial<typeof INTENTION> = {}) =>
  refusals({ ...EMPTY, ...facts }, { ...INTENTION, ...intention }).map(({ code }) => code);

describe('an end-to-end run', () => {
  test('starts in a cluster without a mesh', () => {
    expect(codes({})).toEqual([]);
  });

  test.each([
    ['v1.30.9', ['tooOld']],
    ['v1.31.0', []],
    ['v1.40.0-gke.1', []],
    ['v2.0.0', []],
    ['unknown', ['tooOld']],
  ])('in Kubernetes %s has the reasons for refusal %j', (version, expected) => {
    expect(codes({ version })).toEqual(expected);
  });

  test('refuses a cluster with a mesh, known by its CRDs, webhooks or namespace', () => {
    expect(codes({ definitions: ['servers.policy.linkerd.io'] })).toEqual(['meshFound']);
    expect(codes({ webhooks: ['linkerd-proxy-injector-webhook-config'] })).toEqual(['meshFound']);
    const namespaces = [{ name: 'mesh', labels: { 'linkerd.io/is-control-plane': 'true' } }];
    expect(codes({ namespaces })).toEqual(['meshFound']);
  });

  test('ignores a CRD whose name only resembles those of Linkerd', () => {
    expect(codes({ definitions: ['things.notlinkerd.io'] })).toEqual([]);
  });

  test('refuses a cert-manager without --existing-cert-manager, and the option without a cert-manager', () => {
    const definitions = ['certificates.cert-manager.io', 'bundles.trust.cert-manager.io'];
    expect(codes({ definitions })).toEqual(['certManagerFound']);
    expect(codes({ definitions }, { existingCertManager: true })).toEqual([]);
    expect(codes({ definitions: definitions.slice(0, 1) }, { existingCertManager: true })).toEqual([
      'certManagerMissing',
    ]);
    expect(codes({}, { existingCertManager: true })).toEqual(['certManagerMissing']);
  });

  test('refuses the remains of an earlier run, and its own namespaces if another program created them', () => {
    expect(codes({ namespaces: [{ name: 'linkerd-e2e', labels: { [RUN_LABEL]: 'x' } }] })).toEqual(['earlierRun']);
    expect(codes({ namespaces: [{ name: 'linkerd', labels: {} }] })).toEqual(['namespaceFound']);
    expect(codes({ earlierDefinitions: ['issuers.cert-manager.io'] })).toEqual(['earlierRun']);
  });

  test('reports all reasons for refusal at once', () => {
    const everything: ClusterFacts = {
      version: 'v1.20.0',
      definitions: ['links.multicluster.linkerd.io', 'issuers.cert-manager.io'],
      earlierDefinitions: [],
      namespaces: [
        { name: 'linkerd', labels: {} },
        { name: 'linkerd-e2e', labels: { [RUN_LABEL]: 'x' } },
      ],
      webhooks: [],
      nodes: 0,
      isAdministrator: false,
      missingCharts: ['linkerd-crds 2026.8.3'],
    };
    const expected = ['tooOld', 'noNodes', 'rightsMissing', 'meshFound', 'certManagerFound', 'earlierRun'];
    expect(codes(everything)).toEqual([...expected, 'namespaceFound', 'chartsMissing']);
  });
});
