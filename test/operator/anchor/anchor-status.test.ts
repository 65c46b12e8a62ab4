import { TRUST_ANCHOR_LABEL, TRUST_ROOTS_KEY } from '#anchor/trust-anchor';
import type { TrustView } from '#operator/src/anchor/observe/observe';
import { unreadable } from '#operator/src/anchor/status/problems';
import type { AnyObject } from '../../support/anchor/played/memory-api';
import { condition, type PlayedMesh, playedMesh, rotateTo } from '../../support/anchor/played/played-mesh';
import { signedBridge } from '../../support/anchor/signed-bridge';
import { issueCertificate, type KeyPair } from '../../support/cluster/certificates';

let stable: PlayedMesh;

beforeAll(async () => {
  stable = playedMesh();
  await rotateTo(stable, 1);
  for (let minutes = 0; minutes < 10; minutes += 1) stable.pass(60_000);
});

/** Runs the operator every ten seconds for this long. */
async function watch(mesh: PlayedMesh, seconds: number): Promise<void> {
  const operator = mesh.operator();
  for (let passed = 0; passed <= seconds; passed += 10) {
    await operator.look();
    mesh.pass(10_000);
  }
}

describe('an unknown root in the bundle', () => {
  const addRoot = ({ api }: PlayedMesh): void => {
    const { cert } = issueCertificate({ commonName: 'somebody', ca: true });
    const metadata = { name: 'other', namespace: 'cert-manager', labels: { [TRUST_ANCHOR_LABEL]: 'current' } };
    api.put('configmaps', { metadata, data: { [TRUST_ROOTS_KEY]: cert } });
  };

  test('appears in the status at once, and degrades the anchor if it stays', async () => {
    const mesh = stable.copy();
    await watch(mesh, 0);
    expect(condition(mesh, 'RootsKnown')).toMatchObject({ status: 'True' });
    addRoot(mesh);
    mesh.pass(1_000);
    await watch(mesh, 10);
    expect(condition(mesh, 'RootsKnown')).toMatchObject({ status: 'False', reason: 'ForeignRoot' });
    expect(condition(mesh, 'RootsKnown').message).toMatch(/every proxy trusts the root "CN=somebody" \([0-9a-f]{8}\)/);
    expect(mesh.status().anchors).toMatchObject([{ generation: 1, role: 'Signing' }, { role: 'Foreign' }]);
    expect(condition(mesh, 'Degraded').status).toBe('False');
    await watch(mesh, 150);
    expect(condition(mesh, 'Degraded')).toMatchObject({ status: 'True', reason: 'ForeignRoot' });
  });

  test('does not appear during a rotation by the operator, which created each root', async () => {
    const mesh = stable.copy();
    mesh.spec({ rotateNow: 'two' });
    await rotateTo(mesh, 2, {
      afterLook: () => expect(condition(mesh, 'RootsKnown')).toMatchObject({ status: 'True' }),
    });
    expect(mesh.events.map(({ reason }) => reason)).not.toContain('RootsKnown');
  });
});

describe('a mesh that something else installed', () => {
  const seenWith = async (change: (view: TrustView) => Partial<TrustView>) => {
    const mesh = stable.copy();
    const { caches } = mesh.operator().context;
    const view = () => {
      const seen = caches.view();
      return { ...seen, ...change(seen as TrustView) };
    };
    await mesh.operator({ caches: { ...caches, view } }).look();
    return condition(mesh, 'Degraded');
  };
  const annotated = (annotations: Readonly<Record<string, string>>) =>
    seenWith(({ bundle }) => ({ bundle: { ...bundle, metadata: { ...bundle?.metadata, name: 'x', annotations } } }));

  test('is degraded while its trust roots are a part of a Helm release', async () => {
    const degraded = await annotated({ 'meta.helm.sh/release-name': 'linkerd-control-plane' });
    expect(degraded).toMatchObject({ status: 'True', reason: 'BundleOfHelm' });
    expect(degraded.message).toMatch(
      /Helm release linkerd-control-plane, .*identity\.externalCA: true.*kubectl annotate configmap linkerd-identity-trust-roots -n linkerd meta\.helm\.sh\/release-name-/,
    );
    expect(await annotated({ 'example.com/a': 'b' })).toMatchObject({ status: 'False' });
  });

  test('is degraded while no Certificate renews the identity issuer', async () => {
    const degraded = await seenWith(() => ({ issuerCertificate: undefined }));
    expect(degraded).toMatchObject({ status: 'True', reason: 'IssuerMissing' });
    expect(degraded.message).toMatch(/no Certificate linkerd-identity-issuer in namespace linkerd.*ClusterIssuer/);
    const empty = { issuerCertificate: undefined, pods: [] };
    expect((await seenWith(() => empty)).message).not.toContain('there is no Certificate');
  });
});

test('the status lists pods that may not trust the anchor, even without a rotation', async () => {
  const mesh = stable.copy();
  const operator = mesh.operator();
  const { caches } = operator.context;
  const view = () => {
    const seen = caches.view();
    const [pod] = seen.pods.filter(({ metadata }) => metadata.namespace === 'shop');
    const annotations = { 'linkerd.io/trust-root-sha256': 'f'.repeat(64) };
    const stray = { ...pod, metadata: { ...pod?.metadata, annotations, name: 'stray', uid: 'stray' } };
    return { ...seen, pods: [...seen.pods, stray as never] };
  };
  await mesh.operator({ caches: { ...caches, view } }).look();
  expect(mesh.status()).toMatchObject({
    phase: 'Stable',
    laggards: { count: 1, pods: 1, workloads: [{ workload: 'shop/Pod/stray', pods: 1 }] },
  });
  expect(condition(mesh, 'Ready').message).toContain('Pods that may not trust it: 1.');
});

test('the status lists a retiring anchor with its generation, even if only its root is left', async () => {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two' });
  const seen: unknown[] = [];
  await rotateTo(mesh, 2, {
    afterLook: () => {
      const { anchors = [] } = mesh.status();
      seen.push(...anchors.filter(({ role }: AnyObject) => role === 'Previous' || role === 'Foreign'));
    },
  });
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).toEqual(seen.map(() => expect.objectContaining({ role: 'Previous', generation: 1 })));
});

describe('the status names each actor that a rotation waits for:', () => {
  /** Continues a rotation until it waits, and then for some hours, with a reconciliation every minute. */
  async function stuck(mesh: PlayedMesh, change: Parameters<PlayedMesh['operator']>[0] = {}): Promise<void> {
    const operator = mesh.operator(change);
    for (let minutes = 0; minutes < 300; minutes += 1) {
      await operator.look();
      mesh.pass(60_000);
    }
  }

  const expectOverdue = (mesh: PlayedMesh, type: string, who: RegExp): void => {
    const { status, message } = condition(mesh, type);
    expect(status).toBe('False');
    expect(message).toMatch(who);
    expect(message).toMatch(/ since 2026-11-2\dT[0-9:]+Z, expected by 2026-11-2\dT[0-9:]+Z: kubectl /);
    expect(condition(mesh, 'Degraded')).toMatchObject({ status: 'True', reason: 'Overdue' });
    expect(condition(mesh, 'Degraded').message).toContain(`${type}: waiting for`);
  };

  test('cert-manager, if it issues no anchor', async () => {
    const mesh = playedMesh();
    mesh.away.add('cert-manager');
    await stuck(mesh);
    expectOverdue(
      mesh,
      'Minted',
      /waiting for cert-manager .*kubectl describe certificate linkerd-trust-anchor-1 -n cert-manager/,
    );
  });

  test.each([
    ['trust-manager', 'Announced', /waiting for trust-manager .*kubectl describe bundle linkerd-identity-trust-roots/],
    ['cert-manager', 'Minted', /waiting for cert-manager .*certificate linkerd-trust-anchor-2 -n cert-manager/],
    ['identity', 'Signing', /waiting for linkerd-identity .*rollout restart deploy\/linkerd-identity -n linkerd/],
  ] as const)('%s, if condition %s does not become true', async (who, type, message) => {
    const mesh = stable.copy();
    mesh.away.add(who);
    mesh.spec({ rotateNow: 'two' });
    await stuck(mesh);
    expectOverdue(mesh, type, message);
    mesh.away.delete(who);
    await rotateTo(mesh, 2);
    expect(condition(mesh, 'Degraded').status).toBe('False');
  });

  test('members that delay the retirement of the old anchor, by name', async () => {
    const mesh = stable.copy();
    const [{ key: old }] = mesh.status().anchors;
    mesh.spec({ rotateNow: 'two', cluster: 'west', members: ['east', 'north'] });
    const tell = (cluster: string, data: object): void =>
      void mesh.api.put('configmaps', {
        metadata: {
          name: cluster,
          namespace: 'cert-manager',
          labels: { 'config.linkerd.io/trust-anchor-member': cluster },
        },
        data: { cluster, updated: '2026-11-23T00:00:00Z', 'ca-bundle.crt': '', ...data },
      });
    tell('east', { signing: old, adopted: old });
    const operator = mesh.operator();
    for (let looks = 0; looks < 40; looks += 1) mesh.pass(Math.max(1_000, await operator.look()));
    expect(condition(mesh, 'Retired')).toMatchObject({ status: 'False', reason: 'Members' });
    expect(condition(mesh, 'Retired').message).toContain(
      'member east (the old anchor may still sign there, as of 2026-11-23T00:00:00Z), member north (it has reported nothing)',
    );
    const [{ key }] = mesh.status().anchors;
    for (const member of ['east', 'north'])
      tell(member, { signing: key, adopted: old, updated: '2226-01-01T00:00:00Z' });
    await mesh.operator().look();
    expect(condition(mesh, 'Retired').message).toContain('member north (not all of its pods trust the new anchor)');
    await stuck(mesh);
    expectOverdue(
      mesh,
      'Retired',
      /waiting for member east .*, member north .*kubectl get configmaps -n cert-manager -l/,
    );
    for (const member of ['east', 'north']) tell(member, { signing: key, adopted: key });
    await rotateTo(mesh, 2);
  });

  test.each([
    ['externalworkloads', 'shop/vm', {}, 'ExternalWorkload shop/vm'],
    ['links', 'mc/east', { targetClusterName: 'east' }, 'Link mc/east'],
  ])(
    '%s whose trusted anchors the operator cannot see, until a human confirms them',
    async (plural, key, spec, named) => {
      const mesh = stable.copy();
      const [namespace = '', name = ''] = key.split('/');
      mesh.api.put(plural, { metadata: { name, namespace }, spec });
      mesh.spec({ rotateNow: 'two' });
      await stuck(mesh);
      expect(mesh.status().phase).toBe('Adopted');
      expect(condition(mesh, 'Retired')).toMatchObject({ status: 'False', reason: 'UnseenProxies' });
      expect(condition(mesh, 'Retired').message).toContain(`proxies of ${named} trust`);
      expect(condition(mesh, 'Degraded')).toMatchObject({ status: 'True', reason: 'UnseenProxies' });
      expect(mesh.api.find('secrets', 'cert-manager/linkerd-trust-anchor-1')).toBeDefined();
      mesh.spec({ acceptUnseenProxies: true });
      await rotateTo(mesh, 2);
      expect(condition(mesh, 'Degraded').status).toBe('False');
    },
  );

  test('no actor of a slow but healthy rotation', async () => {
    const mesh = stable.copy();
    mesh.spec({ rotateNow: 'two' });
    await rotateTo(mesh, 2, { afterLook: () => expect(condition(mesh, 'Degraded').status).toBe('False') });
  });
});

test('a rotation passes each milestone once, and the operator emits one Event for it', async () => {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two' });
  const passed = new Set<string>();
  let pending = 0;
  // The next reconciliation sees a Certificate that is being issued.
  mesh.api.onWrite(({ plural, subresource }) => {
    if (plural !== 'certificates' || subresource !== undefined) return;
    mesh.away.add('cert-manager');
    pending = 2;
  });
  await rotateTo(mesh, 2, {
    afterLook: () => {
      pending -= 1;
      if (pending === 0) mesh.away.delete('cert-manager');
      const { conditions, memory } = mesh.status();
      if (memory.rotation === undefined) return;
      const isTrue = new Set(conditions.flatMap((it: AnyObject) => (it.status === 'True' ? [it.type] : [])));
      for (const type of ['Minted', 'Announced', 'Bridged', 'Signing', 'LeavesTurned']) {
        if (isTrue.has(type)) passed.add(type);
        else expect(passed).not.toContain(type);
      }
    },
  });
  const reasons = mesh.events.map(({ reason }) => reason);
  expect(reasons).toEqual([...new Set(reasons)]);
});

test('a paused rotation makes no progress, reports the pause, and continues afterwards', async () => {
  const mesh = stable.copy();
  mesh.spec({ rotateNow: 'two' });
  const operator = mesh.operator();
  while (mesh.status().phase !== 'Announced') mesh.pass(Math.max(1_000, await operator.look()));
  mesh.spec({ paused: true });
  const written: string[] = [];
  mesh.api.onWrite(({ plural, subresource }) => subresource === undefined && written.push(plural));
  await watch(mesh, 600);
  expect(condition(mesh, 'Progressing')).toMatchObject({ status: 'False', reason: 'Paused' });
  expect([mesh.status().phase, written]).toEqual(['Announced', []]);
  mesh.spec({ paused: false });
  await rotateTo(mesh, 2);
});

test('the status and Events of a first anchor mention no other anchor', async () => {
  const mesh = playedMesh();
  const shown: string[] = [];
  await rotateTo(mesh, 1, { afterLook: () => shown.push(JSON.stringify(mesh.status().conditions)) });
  shown.push(...mesh.events.map(({ reason, note }) => `${reason}: ${note}`));
  expect(shown.join('\n')).not.toMatch(/LongWay|earlier certificates|old anchor|the new one|Adopted|Retired/);
});

test('the status names the Role that an unreadable kind needs, and what deploys it', () => {
  const missing = [
    { plural: 'certificates', namespace: 'linkerd' },
    { plural: 'configmaps', namespace: 'linkerd' },
    { plural: 'clusterissuers' },
  ];
  expect(unreadable(missing)).toEqual({
    reason: 'Unreadable',
    message:
      'the operator cannot yet read: certificates, configmaps of namespace linkerd (needs the Role linkerd-reconciler, which is deployed with that namespace); clusterissuers (needs the ClusterRole linkerd-reconciler). Kinds of cert-manager exist once cert-manager is installed',
  });
});

describe('the status of a rotation that needs a signature by an external key', () => {
  let asking: PlayedMesh;
  let root: KeyPair;

  beforeAll(async () => {
    asking = stable.copy();
    const { api } = asking;
    const name = 'cert-manager/linkerd-trust-anchor-1';
    root = api.find('secrets', name)?.tls as KeyPair;
    for (const plural of ['certificates', 'secrets', 'issuers']) api.remove(plural, name);
    api.remove('clusterissuers', 'linkerd-identity-issuer');
    api.put('trustanchors', { metadata: { name: 'linkerd' }, status: { memory: { current: null } } });
    asking.spec({ commonName: 'next', rotateNow: 'two', bridge: { signedBy: 'Request', ifUnsigned: 'Wait' } });
    await watch(asking, 300);
  });

  const answer = ({ api }: PlayedMesh, text: string): void =>
    void api.put('configmaps', {
      metadata: { name: 'linkerd-trust-anchor-bridge', namespace: 'cert-manager' },
      data: { 'tls.crt': text },
    });

  test('asks for it in a field, a condition and one Event', async () => {
    const { bridge } = asking.status();
    expect(bridge).toMatchObject({
      generation: 1,
      request: expect.stringMatching(/^-----BEGIN CERTIFICATE REQUEST-----/),
      subject: 'CN=1.next',
      signer: 'CN=1.root.linkerd.cluster.local',
      pathLength: 1,
      notAfter: '2036-11-20T00:00:00Z',
    });
    expect(condition(asking, 'Bridged')).toMatchObject({ status: 'False', reason: 'SignatureNeeded' });
    expect(condition(asking, 'Bridged').message).toContain(`until ${bridge.until} at the latest`);
    expect(condition(asking, 'Degraded').status).toBe('False');
    const reasons = asking.events.map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'SignatureNeeded')).toHaveLength(1);
    // The status does not blame cert-manager, however long the signature takes.
    const mesh = asking.copy();
    await watch(mesh, 3_600);
    expect(condition(mesh, 'Degraded').status).toBe('False');
  });

  test('explains why the operator refused a signature, and what to do', async () => {
    const mesh = asking.copy();
    answer(mesh, issueCertificate({ commonName: '0.next', ca: true }).cert);
    await watch(mesh, 10);
    expect(condition(mesh, 'Bridged')).toMatchObject({ status: 'False', reason: 'Stale' });
    expect(condition(mesh, 'Degraded')).toMatchObject({ status: 'True', reason: 'Stale' });
    expect(condition(mesh, 'Degraded').message).toMatch(/signed for an earlier request: it has the subject CN=0.next/);
    expect(mesh.events.map(({ reason }) => reason)).toContain('Stale');
  });

  test('warns of the missing signature if only restarts can finish in time', async () => {
    const mesh = asking.copy();
    mesh.pass(Date.parse(mesh.status().bridge.until) - mesh.now());
    await watch(mesh, 10);
    expect(condition(mesh, 'Bridged')).toMatchObject({ status: 'False', reason: 'SignatureLate' });
    expect(condition(mesh, 'Degraded').status).toBe('True');
    mesh.spec({ bridge: { signedBy: 'Request', ifUnsigned: 'Restart' } });
    await watch(mesh, 10);
    expect(condition(mesh, 'Bridged')).toMatchObject({ status: 'False', reason: 'LongWay' });
    expect(mesh.status()).not.toHaveProperty('bridge');
  });

  test('stops asking once the operator has accepted the signature', async () => {
    const mesh = asking.copy();
    const { request, notAfter } = mesh.status().bridge;
    answer(mesh, signedBridge(request, root, { notBefore: new Date(mesh.now()), notAfter: new Date(notAfter) }));
    await watch(mesh, 10);
    expect(condition(mesh, 'Bridged')).toMatchObject({ status: 'True', reason: 'Certified' });
    expect(mesh.status()).not.toHaveProperty('bridge');
  });
});
