import { type AnchorAgreement, type AnchorFacts, compareAnchors } from '../../../lib/constructs/pki/anchor-facts';

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
])('%j and %j are %s', (one, other, agreement) => {
  expect(compareAnchors(one, other)).toBe(agreement);
  expect(compareAnchors(other, one)).toBe(agreement);
});
