import { PROXY_VALUE_FINDINGS } from '#linkerd/proxy-values/findings';
import { checkSubnets } from '#linkerd/proxy-values/subnets';

const problemsOf = (subnets: readonly string[]) =>
  checkSubnets('skipSubnets', subnets, PROXY_VALUE_FINDINGS.addressRefusedSkippedSubnet);

test('the check of subnets accepts CIDR blocks of both families', () =>
  expect(problemsOf(['10.0.0.0/8', '0.0.0.0/0', '192.168.1.7/32', 'fd00::/8', '::/0', '::1/128'])).toEqual([]));

test.each([
  '10.0.0.0',
  '10.0.0.0/33',
  '10.0.0/8',
  'fd00::/129',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '/8',
  'localhost/8',
  '10.0.0.0/8/8',
])('the check of subnets reports %s', (subnet) =>
  expect(problemsOf(['10.0.0.0/8', subnet])).toEqual([
    expect.objectContaining({ code: 'address-refused', parameters: { field: 'skipSubnets[1]', value: subnet } }),
  ]),
);
