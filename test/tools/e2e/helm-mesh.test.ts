import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ANCHOR, IDENTITY_ISSUER, TRUST_ROOTS } from '#anchor/trust-anchor';
import type { LiveObject } from '#tools/e2e/kubectl';
import { asInGuide, commandsIn } from '#tools/e2e/steps/helm-mesh';
import { rootsGap } from '#tools/e2e/steps/rotation';
import { checkSteps, stepsInOrder, USUAL_STEPS } from '#tools/e2e/walk';

const ROOT = join(__dirname, '..', '..', '..');

const live = (kind: string, status: object, spec: object = {}): LiveObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'one', uid: 'u', generation: 2 },
  spec,
  status,
});
const condition = (type: string, status = 'True', message = 'why') => ({ type, status, message });

test('rootsGap reports roots that are no anchors of the mesh, also before any condition says so', () => {
  expect(rootsGap(live('TrustAnchor', { conditions: [condition('RootsKnown')] }))).toBeUndefined();
  const foreign = live('TrustAnchor', { conditions: [condition('RootsKnown', 'False', 'every proxy trusts')] });
  expect([rootsGap(foreign), rootsGap(live('TrustAnchor', {}))]).toEqual([
    expect.stringContaining('every proxy trusts'),
    expect.stringContaining('not seen'),
  ]);
});

test('stepsInOrder sorts steps, and checkSteps requires the steps that others need', () => {
  expect(stepsInOrder(['removal', 'traffic', 'install'])).toEqual(['install', 'traffic', 'removal']);
  expect(USUAL_STEPS.filter((name) => ['helm-mesh', 'takeover'].includes(name))).toEqual([]);
  expect(checkSteps(USUAL_STEPS)).toBeUndefined();
  const possible = [
    ['install'],
    ['removal'],
    ['install', 'traffic', 'policy'],
    ['takeover', 'install'],
    ['helm-mesh'],
    ['helm-mesh', 'traffic', 'rotation', 'removal'],
  ];
  const impossible = [
    ['rotation'],
    ['install', 'rotation'],
    ['takeover'],
    ['traffic'],
    ['helm-mesh', 'rotation'],
    ...['takeover', 'install', 'restart', 'policy', 'status'].map((name) => ['helm-mesh', 'traffic', name]),
  ];
  expect(possible.flatMap((steps) => checkSteps(steps) ?? [])).toEqual([]);
  expect(impossible.filter((steps) => checkSteps(steps) === undefined)).toEqual([]);
});

describe("the mesh of Linkerd's guide", () => {
  const object = (kind: string, name: string, spec: object = { renewal: {} }) => ({
    apiVersion: 'cert-manager.io/v1',
    kind,
    metadata: { name },
    spec,
  });

  test('has its anchor and its Bundle in the place of those of the library, and no policy of it', () => {
    const [anchor, bundle] = [object('Certificate', ANCHOR), object('Bundle', TRUST_ROOTS)].map(asInGuide);
    expect(anchor).toMatchObject([{ metadata: { name: ANCHOR }, spec: { secretName: ANCHOR, isCA: true } }]);
    expect(JSON.stringify([anchor, bundle])).not.toMatch(/renewal|cdk8s-linkerd/);
    expect(bundle).toMatchObject([{ spec: { sources: [{ secret: { name: ANCHOR } }, { secret: {} }] } }]);
    expect(asInGuide(object('ValidatingAdmissionPolicy', 'linkerd-issuers'))).toEqual([]);
    const others = [object('Secret', ANCHOR), object('Certificate', IDENTITY_ISSUER)];
    expect(others.flatMap(asInGuide)).toEqual(others);
  });

  test('gets its operator by the commands of docs/helm-anchor.md, of which the first apply may fail', () => {
    const { print, apply } = commandsIn(readFileSync(join(ROOT, 'docs', 'helm-anchor.md'), 'utf8'));
    expect(print).toMatch(/^npx .* operator manifests --rotation .* > operator\.yaml\n$/m);
    expect(apply.match(/^kubectl \w+/gm)).toEqual(
      ['apply', 'wait', 'rollout', 'apply', 'wait', 'delete'].map((verb) => `kubectl ${verb}`),
    );
    expect(apply.match(/^.* \|\| true$/gm)).toEqual([expect.stringMatching(/^kubectl apply .* -f operator\.yaml/)]);
    expect(apply).toMatch(/=Stable --timeout 5m\nkubectl delete secret linkerd-previous-anchor .*\n$/);
  });
});
