import type { AnchorMemory } from '#anchor/memory';
import { TRUST_ROOTS, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import type { InformerOptions } from '#controller-runtime/cache/informer';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Manager } from '#controller-runtime/process/manager';
import { anchorCaches } from '#operator/src/anchor/caches/anchor-caches';
import { issueCertificate } from '../../support/cluster/certificates';

const PLACES = { linkerdNamespace: 'linkerd', certManagerNamespace: 'cert-manager' };
const named = (name: string): KubeObject => ({ metadata: { name } });

type Handler = (change: { readonly type: 'updated'; readonly object: KubeObject }) => void;

/** A manager whose watches have been silent for an hour. A list read now returns the object `new`. */
function lateManager(cached: (options: InformerOptions<KubeObject>) => readonly KubeObject[] = () => [named('old')]) {
  const informers: { readonly options: InformerOptions<KubeObject>; readonly handlers: Handler[] }[] = [];
  const informer = (options: InformerOptions<KubeObject>) => {
    const handlers: Handler[] = [];
    informers.push({ options, handlers });
    return {
      resource: options.resource,
      onChange: (handler: Handler) => void handlers.push(handler),
      hasSynced: () => options.resource.plural !== 'issuers',
      list: () => cached(options),
      heardMs: () => performance.now() - 3_600_000,
      read: () => Promise.resolve([named('new')]),
    };
  };
  return {
    manager: { informer } as unknown as Manager,
    /** Sends a change of an object to each informer that selects it. */
    tell: (plural: string, object: KubeObject): void => {
      for (const { options, handlers } of informers) {
        const isNamed = options.fieldSelector?.endsWith(`=${object.metadata.name}`) ?? true;
        if (options.resource.plural !== plural || !isNamed) continue;
        for (const handler of handlers) handler({ type: 'updated', object });
      }
    },
  };
}

test('the operator rereads all inputs of a decision if a watch is late', async () => {
  const caches = anchorCaches(lateManager().manager, PLACES);
  const seen = () => {
    const { seenBundles: _, ...view } = caches.view();
    return Object.entries(view).map(([name, value]) => [
      name,
      ...new Set([value ?? []].flat().map((object) => (object as KubeObject).metadata.name)),
    ]);
  };
  const before = seen();
  expect(before).toEqual(before.map(([name]) => [name, 'old']));
  expect(await caches.refresh(60_000, new AbortController().signal)).toEqual([]);
  expect(seen()).toEqual(before.map(([name]) => [name, 'new']));
});

test('caches list each kind that they have not read as missing, with its namespace', () => {
  expect(anchorCaches(lateManager().manager, PLACES).missing()).toEqual([
    { plural: 'issuers', namespace: 'cert-manager' },
  ]);
});

test('a change triggers a reconciliation if a TrustAnchor exists, and a change of a TrustAnchor always does', () => {
  for (const isThere of [true, false]) {
    const { manager, tell } = lateManager(() => (isThere ? [named('linkerd')] : []));
    const due: string[] = [];
    let kind = '';
    anchorCaches(manager, PLACES).onChange(() => void due.push(kind));
    for (kind of ['trustanchors', 'certificates', 'pods', 'poddisruptionbudgets']) tell(kind, named('linkerd'));
    const others = ['certificates', 'pods', 'poddisruptionbudgets'];
    expect([...new Set(due)]).toEqual(['trustanchors', ...(isThere ? others : [])]);
  }
});

test('caches remember a bundle that exists only between two observations', () => {
  const { manager, tell } = lateManager();
  const caches = anchorCaches(manager, PLACES);
  const { cert } = issueCertificate({ commonName: 'root', ca: true });
  tell('configmaps', { metadata: { name: TRUST_ROOTS }, data: { [TRUST_ROOTS_KEY]: cert } } as KubeObject);
  const memory: AnchorMemory = { bundles: [{ hash: 'first', keys: [], since: 0, ends: {} }] };
  expect(caches.view().seenBundles.addedTo(memory).bundles).toHaveLength(2);
});
