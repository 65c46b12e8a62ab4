import { formatIndex } from '#lib/gitops/synth/output/cluster-index';
import { comparedFolders, driftFindings } from '#lib/review/status/drift';

const INDEX = formatIndex({
  writer: 'test',
  charts: [],
  files: [
    'cert-manager/Chart.yaml',
    'cert-manager/templates/certificate.root.yaml',
    'cert-manager/values.yaml',
    'linkerd/configmap.linkerd-config.yaml',
    'linkerd/service.linkerd-dst.yaml',
    'shop/configmap.settings.yaml',
  ],
});

test('status does not compare folders of charts, nor objects with ignored fields', () => {
  const texts = new Map([['cdk8s-linkerd.index', INDEX]]);
  expect(comparedFolders(texts, ['configmap.linkerd-config.yaml'])).toEqual([
    { folder: 'linkerd', files: ['linkerd/service.linkerd-dst.yaml'] },
    { folder: 'shop', files: ['shop/configmap.settings.yaml'] },
  ]);
  expect(comparedFolders(new Map(), [])).toEqual([]);
});

test('status names different and missing objects as kubectl does', () => {
  const lines = [
    'Files /tmp/LIVE-1/apps.v1.Deployment.linkerd.linkerd-identity and /tmp/MERGED-2/apps.v1.Deployment.linkerd.linkerd-identity differ',
    'Only in /tmp/MERGED-2: v1.Service.linkerd.linkerd-dst',
    '',
  ].join('\n');
  const folders = [
    { folder: 'linkerd', lines },
    { folder: 'shop', lines: '' },
    { folder: 'viz', failure: 'forbidden' },
  ];
  const found = driftFindings(folders, (folder) => `kubectl diff -f ${folder}`);
  expect(found.map(({ problem: { code, parameters } }) => [code, parameters])).toEqual([
    [
      'objects-differ',
      {
        folder: 'linkerd',
        objects: '2 objects',
        names: 'apps.v1.Deployment.linkerd.linkerd-identity, v1.Service.linkerd.linkerd-dst',
        command: 'kubectl diff -f linkerd',
      },
    ],
    ['objects-uncompared', { folder: 'viz', reason: 'forbidden' }],
  ]);
});
