import { next } from '#anchor/rotation/next';
import { anchorName, IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { act } from '#operator/src/anchor/act/act';
import type { ActionContext } from '#operator/src/anchor/act/action-context';
import { type TrustAnchor, withDefaults } from '#operator/src/anchor/objects/trust-anchor';
import { observe } from '#operator/src/anchor/observe/observe';
import { type PlayedMesh, playedMesh, rotateTo } from '../../support/anchor/played/played-mesh';

/** A mesh whose generation 1 signs, in this phase of a rotation to generation 2. */
async function meshIn(phase: string, spec = {}): Promise<PlayedMesh> {
  const mesh = playedMesh(spec);
  await rotateTo(mesh, 1);
  for (let minutes = 0; minutes < 10; minutes += 1) mesh.pass(60_000);
  mesh.spec({ rotateNow: 'two' });
  const operator = mesh.operator();
  while (mesh.status().phase !== phase) mesh.pass(Math.max(1_000, await operator.look()));
  return mesh;
}

let announced: PlayedMesh;

beforeAll(async () => {
  announced = await meshIn('Announced');
});

/** The context of a decision from the present state of the mesh, to be carried out later. */
function decidedIn(mesh: PlayedMesh): ActionContext {
  const { context } = mesh.operator();
  const anchor = withDefaults(mesh.api.find('trustanchors', 'linkerd') as TrustAnchor);
  const view = { ...context.caches.view(), anchor, issuerEnds: new Map<string, number>(), installedIssuer: '' };
  const { trust, known } = observe(view, mesh.now());
  const plan = next(trust, mesh.now());
  return { ...context, signal: new AbortController().signal, anchor, view, trust, known, plan };
}

const secretOf = (mesh: PlayedMesh, generation: number) =>
  mesh.api.find('secrets', `cert-manager/${anchorName(generation)}`);

describe('a new generation of the anchor', () => {
  const make = { do: 'apply-anchor', generation: 2, signer: 'self', bundled: true } as const;
  const begun = async (): Promise<PlayedMesh> => {
    const mesh = playedMesh();
    await rotateTo(mesh, 1);
    mesh.spec({ rotateNow: 'two' });
    return mesh;
  };

  test('keeps its key if something created it after the decision', async () => {
    const mesh = await begun();
    const context = decidedIn(mesh);
    await mesh.operator().look();
    const { key } = secretOf(mesh, 2)?.tls ?? {};
    expect(await act([make], context)).toEqual({ isOutdated: true });
    mesh.pass(1_000);
    expect(secretOf(mesh, 2)?.tls.key).toBe(key);
  });

  test('keeps its key if the operator sees only its Certificate', async () => {
    const mesh = await begun();
    const context = decidedIn(mesh);
    const metadata = { name: anchorName(2), namespace: 'cert-manager' };
    const secret = mesh.api.put('secrets', { ...secretOf(mesh, 1), metadata });
    mesh.api.put('certificates', { metadata, spec: {} });
    expect(await act([make], context)).toEqual({ isOutdated: true });
    expect(secretOf(mesh, 2)?.metadata.uid).toBe(secret.metadata.uid);
  });

  test.each<[string, (context: ActionContext) => Partial<ActionContext>, number?]>([
    [
      'it signs',
      ({ view }) => ({
        view: {
          ...view,
          clusterIssuer: { ...view.clusterIssuer, spec: { ca: { secretName: anchorName(2) } } } as never,
        },
      }),
    ],
    [
      'proxies trust it',
      ({ trust }) => ({ trust: { ...trust, anchors: trust.anchors.map((one) => ({ ...one, generation: 2 })) } }),
    ],
    ['it was announced', rotating({ key: 'announced' })],
    ['the rotation is to another generation', rotating({ to: 3 })],
    ['the rotation is to generation 0', rotating({ to: 0 }), 0],
  ])('keeps its Secret if %s', async (_what, change, generation = 2) => {
    const mesh = await begun();
    const metadata = { name: anchorName(generation), namespace: 'cert-manager' };
    const context = decidedIn(mesh);
    const changed = { ...context, ...change(context) };
    mesh.api.put('clusterissuers', { ...changed.view.clusterIssuer, metadata: { name: IDENTITY_ISSUER } });
    const secret = mesh.api.put('secrets', { ...secretOf(mesh, 1), metadata });
    expect(await act([{ ...make, generation }], changed)).toEqual({ isOutdated: false });
    expect(mesh.api.find('secrets', `cert-manager/${metadata.name}`)?.metadata.uid).toBe(secret.metadata.uid);
  });

  function rotating(rotation: object): (context: ActionContext) => Partial<ActionContext> {
    return ({ plan }) => ({
      plan: { ...plan, memory: { ...plan.memory, rotation: { ...plan.memory.rotation, ...rotation } as never } },
    });
  }
});

test('the operator never deletes a generation that signs', async () => {
  const mesh = announced.copy();
  expect(await act([{ do: 'delete-anchor', generation: 1 }], decidedIn(mesh))).toEqual({ isOutdated: true });
  expect(mesh.api.writes).toEqual([]);
});

describe('a lost Certificate', () => {
  const lose = (mesh: PlayedMesh): void => mesh.api.remove('certificates', `cert-manager/${anchorName(2)}`);

  test.each(['Minted', 'Announced', 'Bridged', 'Signing'])(
    'is created again with the announced key in phase %s',
    async (phase) => {
      const mesh = phase === 'Announced' ? announced.copy() : await meshIn(phase);
      const { key } = secretOf(mesh, 2)?.tls ?? {};
      lose(mesh);
      await rotateTo(mesh, 2);
      expect(secretOf(mesh, 2)?.tls.key).toBe(key);
    },
  );

  test('that was lost before the operator saw its key passes no old key on to the next Certificate', async () => {
    const mesh = playedMesh();
    await rotateTo(mesh, 1);
    mesh.pass(600_000);
    // A Secret with the name of generation 2 has the key of an earlier one.
    mesh.api.put('secrets', {
      ...secretOf(mesh, 1),
      metadata: { name: anchorName(2), namespace: 'cert-manager' },
    } as never);
    const { key } = secretOf(mesh, 2)?.tls ?? {};
    mesh.spec({ rotateNow: 'two' });
    await rotateTo(mesh, 2);
    expect(secretOf(mesh, 2)?.tls.key).not.toBe(key);
  });
});

test('an operator whose status is lost does not restore a generation that is being deleted', async () => {
  const mesh = await meshIn('Adopted');
  let isDeleted = false;
  mesh.api.onWrite(({ verb, plural }) => {
    isDeleted ||= verb === 'delete' && plural === 'certificates';
  });
  const client = new Proxy(mesh.api.client, {
    get: (target, method) => (isDeleted ? () => Promise.reject(new Error('killed')) : Reflect.get(target, method)),
  });
  const operator = mesh.operator({ client });
  await expect(
    (async () => {
      for (;;) mesh.pass(Math.max(1_000, await operator.look()));
    })(),
  ).rejects.toThrow('killed');
  expect(secretOf(mesh, 1)).toBeDefined();
  mesh.api.put('trustanchors', { metadata: { name: 'linkerd' }, status: null as never });
  const made: string[] = [];
  mesh.api.onWrite(({ verb, plural, key }) => {
    if (verb === 'apply' && plural === 'certificates') made.push(key);
  });
  await rotateTo(mesh, 2);
  expect(made).not.toContain(`cert-manager/${anchorName(1)}`);
  expect(secretOf(mesh, 1)).toBeUndefined();
});
