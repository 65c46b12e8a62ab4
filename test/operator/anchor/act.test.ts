import type { AnchorAction } from '../../../operator/api/anchor/plan';
import { next } from '../../../operator/api/anchor/rotation/next';
import { anchorName, IDENTITY_ISSUER, TRUST_ROOTS, TRUST_ROOTS_KEY } from '../../../operator/api/trust-anchor';
import { act } from '../../../operator/src/anchor/act/act';
import type { ActionContext } from '../../../operator/src/anchor/act/action-context';
import { type TrustAnchor, withDefaults } from '../../../operator/src/anchor/objects/trust-anchor';
import { observe } from '../../../operator/src/anchor/observe/observe';
import { type PlayedMesh, playedMesh, rotateTo } from '../../support/anchor/played/played-mesh';

/** A mesh that lives by generation 1, in the middle of a rotation to generation 2. */
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

/** A plan by what is there now, and the means to carry it out later. */
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

describe('what cannot be undone is not done when something has changed since it was decided', () => {
  const irreversible: readonly AnchorAction[] = [
    { do: 'set-signer', generation: 2 },
    { do: 'hold-signer' },
    { do: 'delete-anchor', generation: 2 },
    { do: 'bundle', generation: 2, bundled: false },
    { do: 'apply-anchor', generation: 2, signer: 'self', bundled: false },
    { do: 'keep-roots', keys: [] },
  ];

  const changes: Readonly<Record<string, (mesh: PlayedMesh) => void>> = {
    'another leader wrote to the TrustAnchor': ({ api }) =>
      void api.put('trustanchors', { metadata: { name: 'linkerd' }, status: { phase: 'Other' } }),
    'the TrustAnchor is gone': ({ api }) => api.remove('trustanchors', 'linkerd'),
    'the signer was moved': ({ api }) =>
      void api.put('clusterissuers', { metadata: { name: IDENTITY_ISSUER }, spec: { ca: { secretName: 'other' } } }),
    'the identity issuer was issued anew': ({ api }) =>
      void api.put('certificates', {
        metadata: { name: IDENTITY_ISSUER, namespace: 'linkerd' },
        status: { revision: 99 },
      }),
    'the identity issuer is being issued': ({ api }) =>
      void api.put('certificates', {
        metadata: { name: IDENTITY_ISSUER, namespace: 'linkerd' },
        status: { conditions: [{ type: 'Issuing', status: 'True' }] },
      }),
    'the bundle was changed': ({ api }) =>
      void api.put('configmaps', {
        metadata: { name: TRUST_ROOTS, namespace: 'linkerd' },
        data: { [TRUST_ROOTS_KEY]: 'another one' },
      }),
  };

  async function outcomeOf(action: AnchorAction, change?: (mesh: PlayedMesh) => void) {
    const mesh = announced.copy();
    const context = decidedIn(mesh);
    change?.(mesh);
    const outcome = await act([action], context);
    return { ...outcome, writes: mesh.api.writes.length };
  }

  test.each(
    irreversible.map((action) => [`${action.do}${'bundled' in action ? ' out of the bundle' : ''}`, action] as const),
  )('%s', async (_name, action) => {
    const unhindered = await outcomeOf(action);
    expect(unhindered.isOutdated).toBe(false);
    expect(unhindered.writes).toBeGreaterThan(0);
    for (const [what, change] of Object.entries(changes)) {
      expect({ what, ...(await outcomeOf(action, change)) }).toEqual({ what, isOutdated: true, writes: 0 });
    }
  });
});

describe('a generation that is to be made', () => {
  const make = { do: 'apply-anchor', generation: 2, signer: 'self', bundled: true } as const;
  const begun = async (): Promise<PlayedMesh> => {
    const mesh = playedMesh();
    await rotateTo(mesh, 1);
    mesh.spec({ rotateNow: 'two' });
    return mesh;
  };

  test('keeps its key when it has been made since', async () => {
    const mesh = await begun();
    const context = decidedIn(mesh);
    await mesh.operator().look();
    const { key } = secretOf(mesh, 2)?.tls ?? {};
    expect(await act([make], context)).toEqual({ isOutdated: true });
    mesh.pass(1_000);
    expect(secretOf(mesh, 2)?.tls.key).toBe(key);
  });

  test('leaves the key alone that signs by now', async () => {
    const mesh = await begun();
    const context = decidedIn(mesh);
    const secret = mesh.api.put('secrets', {
      ...secretOf(mesh, 1),
      metadata: { name: anchorName(2), namespace: 'cert-manager' },
    });
    mesh.api.put('clusterissuers', {
      metadata: { name: IDENTITY_ISSUER },
      spec: { ca: { secretName: anchorName(2) } },
    });
    await act([make], context);
    expect(secretOf(mesh, 2)?.metadata.uid).toBe(secret.metadata.uid);
  });
});

describe('a Certificate that is lost', () => {
  const lose = (mesh: PlayedMesh): void => mesh.api.remove('certificates', `cert-manager/${anchorName(2)}`);

  test.each(['Minted', 'Announced', 'Bridged', 'Signing'])(
    'in %s is made again with the key that was announced',
    async (phase) => {
      const mesh = phase === 'Announced' ? announced.copy() : await meshIn(phase);
      const { key } = secretOf(mesh, 2)?.tls ?? {};
      lose(mesh);
      await rotateTo(mesh, 2);
      expect(secretOf(mesh, 2)?.tls.key).toBe(key);
    },
  );

  test('before its key is known leaves none to the next one', async () => {
    const mesh = playedMesh();
    await rotateTo(mesh, 1);
    mesh.pass(600_000);
    // Of an earlier generation that had the same name.
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

test('a generation that is about to end is not brought back by one who remembers nothing', async () => {
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
