import { checkHttpUrl } from '../../lib/kubernetes/http-url';

describe('checkHttpUrl', () => {
  test.each([
    'http://prometheus.monitoring.svc.cluster.local:9090',
    'https://example.com/prometheus',
    'http://10.0.0.1:9090/',
    'http://[::1]:9090',
  ])('takes %s', (url) => expect(checkHttpUrl('url', url)).toEqual([]));

  test.each(['prometheus:9090', 'ftp://a', 'http://', '//a', 'http:/a', 'http://a b', 'http://a:99999', ''])(
    'refuses %j',
    (url) => expect(checkHttpUrl('url', url)).toEqual([expect.objectContaining({ what: `url is "${url}"` })]),
  );

  test('proposes the scheme', () => {
    expect(checkHttpUrl('url', 'prometheus:9090')[0]?.fix).toContain('"http://prometheus:9090"');
    expect(checkHttpUrl('url', 'example.grafana.net', 'https')[0]?.fix).toContain('"https://example.grafana.net"');
  });

  test('refuses credentials without repeating them', () => {
    const problems = checkHttpUrl('url', 'http://admin:hunter2@prometheus:9090');
    expect(problems).toMatchObject([{ code: 'credentials-in-url', parameters: { url: 'http://prometheus:9090/' } }]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });

  test('refuses a token among the parameters without repeating it', () => {
    const problems = checkHttpUrl('url', 'http://prometheus:9090/a?auth_token=hunter2');
    expect(problems).toMatchObject([{ parameters: { url: 'http://prometheus:9090/a' } }]);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });
});
