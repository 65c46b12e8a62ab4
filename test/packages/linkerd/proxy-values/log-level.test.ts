import { checkLogLevel } from '#linkerd/proxy-values/log-level';

test.each([
  'info',
  'DEBUG',
  'warn,linkerd=info,hickory=error',
  'warn,linkerd2_proxy::app=trace',
  'info,[{headers}]=off,[{request}]=off',
])('the check of log levels accepts %s', (filter) => expect(checkLogLevel('proxy.logLevel', filter)).toEqual([]));

test.each(['', 'inf', 'warn,', 'warn,linkerd', 'warn,linkerd=inf', '=info', 'warn, linkerd'])(
  'the check of log levels reports "%s"',
  (filter) => expect(checkLogLevel('proxy.logLevel', filter)).toHaveLength(1),
);

test('the finding names the part without a valid level', () =>
  expect(checkLogLevel('proxy.logLevel', 'warn,linkerd')).toMatchObject([
    { code: 'log-filter-refused', parameters: { field: 'proxy.logLevel', filter: 'warn,linkerd', wrong: '"linkerd"' } },
  ]));
