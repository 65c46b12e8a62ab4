import {
  type AnchorAgreement,
  type AnchorFacts,
  type CertificationFlaw,
  certificationFlaw,
  compareAnchors,
} from '#lib/constructs/pki/anchor-facts';

const pem = (...certificates: readonly string[]): AnchorFacts => ({ from: 'pem', certificates });
const made = (name?: string, ...members: readonly string[]): AnchorFacts => ({ from: 'cluster', name, members });
const elsewhere: AnchorFacts = { from: 'elsewhere' };

test.each<[AnchorFacts, AnchorFacts, AnchorAgreement]>([
  [pem('a'), pem('a'), 'shared'],
  [pem('a', 'b'), pem('b', 'c'), 'shared'],
  [pem('a'), pem('b'), 'different'],
  [pem(), pem(), 'different'],
  [made(), made(), 'different'],
  [made('east'), made('west'), 'different'],
  [made('east', 'west'), made('west', 'east'), 'shared'],
  [made('east', 'west', 'north'), made('west', 'north', 'east'), 'shared'],
  [made('east', 'west'), made('west'), 'one-sided'],
  [made('east', 'west'), made(undefined, 'east'), 'one-sided'],
  [made('east', 'west'), pem('a'), 'different'],
  [elsewhere, elsewhere, 'unknown'],
  [elsewhere, pem('a'), 'unknown'],
  [elsewhere, made('east'), 'unknown'],
])('synth compares the trust anchors %j and %j: %s', (one, other, agreement) => {
  expect(compareAnchors(one, other)).toBe(agreement);
  expect(compareAnchors(other, one)).toBe(agreement);
});

const east = (certifies: readonly { cluster: string; trustDomain?: string }[], more: object = {}): AnchorFacts => ({
  ...({ from: 'cluster', name: 'east', members: ['west'] } as const),
  certifies,
  ...more,
});
const west = (more: object): AnchorFacts => ({ from: 'cluster', name: 'west', members: ['east'], ...more });
const ASKS = { certifiedBy: 'east' };

test.each<[string, AnchorFacts, AnchorFacts, CertificationFlaw | undefined]>([
  ['neither cluster asks', east([]), west({}), undefined],
  ['one asks, and is certified', east([{ cluster: 'west' }]), west(ASKS), undefined],
  ['one asks, and is not certified', east([]), west(ASKS), 'not-offered'],
  ['one certifies a cluster that does not ask', east([{ cluster: 'west' }]), west({}), 'not-asked'],
  ['one asks a third cluster', east([{ cluster: 'west' }]), west({ certifiedBy: 'north' }), 'not-asked'],
  ['each asks the other', east([], { certifiedBy: 'west' }), west(ASKS), 'circle'],
  ['only a required constraint', east([{ cluster: 'west', trustDomain: 'w' }]), west(ASKS), 'unconstrained'],
  [
    'the constraints differ',
    east([{ cluster: 'west', trustDomain: 'w' }]),
    west({ ...ASKS, constrainedTo: 'x' }),
    'unconstrained',
  ],
  [
    'the constraints are equal',
    east([{ cluster: 'west', trustDomain: 'w' }]),
    west({ ...ASKS, constrainedTo: 'w' }),
    undefined,
  ],
  ['only a requested constraint', east([{ cluster: 'west' }]), west({ ...ASKS, constrainedTo: 'w' }), undefined],
  ['one has an external trust anchor', { from: 'elsewhere' }, west(ASKS), undefined],
])('synth checks the certification between two clusters: %s', (_, one, other, flaw) => {
  expect(certificationFlaw(one, other)).toBe(flaw);
  expect(certificationFlaw(other, one)).toBe(flaw);
});
