import { parse } from 'yaml';
import type { Link } from '#lib/constructs/multicluster/link';
import { AnchorExchange } from '#lib/constructs/operator/anchor-exchange';
import { ReconcilerOperator } from '#lib/constructs/operator/reconciler-operator';
import type { KubeObject } from '../../support/cluster/objects';
import { fleet, type Member, sharedAnchor } from '../multicluster/fleet';

const operated = (member: Member): Member => ({
  ...member,
  further: (cluster, multicluster) => {
    if (multicluster === undefined) throw new Error('no extension');
    new ReconcilerOperator(cluster, 'operator', { controlPlane: multicluster.controlPlane });
    const link = cluster.node.findAll().find((one): one is Link => one.node.id === 'to west' && 'credentials' in one);
    if (link !== undefined) new AnchorExchange(cluster, 'exchange', { link });
  },
});

const EAST = operated({ anchor: sharedAnchor('east', 'west'), links: { west: {} } });
const WEST = operated({ anchor: sharedAnchor('west', 'east'), multicluster: { remoteAccounts: ['for-east'] } });

const clusters = fleet({ east: EAST, west: WEST });

function objectOf(cluster: string, file: string): KubeObject {
  const text = clusters.files(cluster).get(`${file}.yaml`);
  if (text === undefined) throw new Error(`no ${file} among ${[...clusters.files(cluster).keys()].join(', ')}`);
  return parse(text) as KubeObject;
}

test('the anchor exchange mounts the credentials of the link, and may not read Secrets', () => {
  const { spec } = objectOf('east', 'linkerd-multicluster/deployment.anchor-exchange-west').spec.template;
  expect(spec.volumes).toContainEqual({ name: 'member', secret: { secretName: 'cluster-credentials-west' } });
  expect(spec.containers[0].args).toEqual([
    'exchange',
    '--cluster=east',
    '--member=west',
    '--member-kubeconfig=/member/kubeconfig',
    '--member-cert-manager-namespace=cert-manager',
    '--cert-manager-namespace=cert-manager',
  ]);
  const { rules } = objectOf('east', 'cert-manager/role.anchor-exchange-west');
  expect(rules).toEqual([
    {
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: ['linkerd-trust-anchor-member-west'],
      verbs: ['get', 'create', 'patch'],
    },
  ]);
});

test('accounts of other clusters may read the anchor report, and nothing else in its namespace', () => {
  const { rules } = objectOf('west', 'cert-manager/role.linkerd-trust-anchor-member');
  expect(rules).toEqual([
    { apiGroups: [''], resources: ['configmaps'], resourceNames: ['linkerd-trust-anchor-member'], verbs: ['get'] },
  ]);
  const { subjects } = objectOf('west', 'cert-manager/rolebinding.linkerd-trust-anchor-member');
  expect(subjects).toEqual([{ kind: 'ServiceAccount', name: 'for-east', namespace: 'linkerd-multicluster' }]);
});

test('a cluster without a shared anchor has no role for reading the anchor report', () => {
  const files = fleet({ east: {} }).files('east');
  expect([...files.keys()].filter((file) => file.includes('linkerd-trust-anchor-member'))).toEqual([]);
});

test('synth refuses an anchor exchange without a shared anchor', () => {
  const errors = fleet({ east: operated({ links: { west: {} } }), west: {} }).errors('east');
  expect(errors).toContain('anchor-exchange-refused');
  expect(clusters.errors('east').filter((code) => code.startsWith('anchor-exchange'))).toEqual([]);
});
