import { checkHeaderLogs } from '#linkerd/injection/header-logs';

test.each(['', 'off', 'insecure'])('the check of header logs accepts %j', (logHTTPHeaders) => {
  expect(checkHeaderLogs({ logHTTPHeaders })).toEqual([]);
});

test.each(['all', 'Off', null, true])('the check of header logs reports %j', (logHTTPHeaders) => {
  expect(checkHeaderLogs({ logHTTPHeaders })).toMatchObject([
    {
      code: 'injected-value-refused',
      cause: 'header-logs',
      parameters: { field: 'values.proxy.logHTTPHeaders', value: JSON.stringify(logHTTPHeaders) },
    },
  ]);
});

test('the check of header logs reports a missing value', () => expect(checkHeaderLogs({})).toHaveLength(1));
