import { print } from '../../../lib/linkerd/charts/print';

test('prints values as templates do, and nothing for what is missing', () => {
  expect(print`-a=${1} -b=${false} -c=${undefined} -d=${'x'}.`).toBe('-a=1 -b=false -c= -d=x.');
  expect(print`nothing`).toBe('nothing');
});
