import { verifies } from '#anchor/chain';
import { accepts } from '#anchor/check/invariant';
import { asChain } from '#anchor/check/observe';

const KEYS = ['A', 'B', "A'", 'b'];
const ROOTS = Array.from({ length: 2 ** KEYS.length }, (_, bits) => KEYS.filter((__, at) => (bits >> at) % 2 === 1));

test('the models of the checker and of the operator accept the same chains', () => {
  const chains = KEYS.flatMap((signer) => [{ signer }, ...KEYS.map((over) => ({ signer, over }))]);
  const all = chains.flatMap((chain) => ROOTS.map((roots) => ({ chain, roots })));
  expect(all.length).toBe(20 * 16);
  for (const { chain, roots } of all) {
    expect({ chain, roots, accepts: accepts(roots, chain) }).toEqual({
      chain,
      roots,
      accepts: verifies(asChain(chain), new Set(roots), 0),
    });
  }
  expect(new Set(all.map(({ chain, roots }) => accepts(roots, chain))).size).toBe(2);
});
