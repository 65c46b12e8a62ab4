import { checkHeaderLogs } from '#operator/api/injection/header-logs';

test.each(['', 'off', 'insecure'])('%j says whether headers are logged', (logHTTPHeaders) => {
  expect(checkHeaderLogs({ logHTTPHeaders })).toEqual([]);
});

test.each(['all', 'Off', null, true])('%j does not', (logHTTPHeaders) => {
  expect(checkHeaderLogs({ logHTTPHeaders })).toMatchObject([
    {
      code: 'injected-value-refused',
      cause: 'header-logs',
      parameters: { field: 'values.proxy.logHTTPHeaders', value: JSON.stringify(logHTTPHeaders) },
    },
  ]);
});

test('it has to be said', () => {
  expect(checkHeaderLogs({})).toHaveLength(1);
});
