import { headerLogProblems } from '../../../../operator/api/injection/header-logs';

test.each(['', 'off', 'insecure'])('%j says whether headers are logged', (logHTTPHeaders) => {
  expect(headerLogProblems({ logHTTPHeaders })).toEqual([]);
});

test.each(['all', 'Off', null, true])('%j does not', (logHTTPHeaders) => {
  expect(headerLogProblems({ logHTTPHeaders }).map(({ what }) => what)).toEqual([
    `values.proxy.logHTTPHeaders is ${JSON.stringify(logHTTPHeaders)}`,
  ]);
});

test('it has to be said', () => {
  expect(headerLogProblems({})).toHaveLength(1);
});
