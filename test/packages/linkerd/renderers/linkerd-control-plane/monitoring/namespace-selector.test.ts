import { scrapedNamespaces } from '#linkerd/renderers/linkerd-control-plane/pod-monitors';

test.each(['{{ .Release.Namespace }}', '{{.Release.Namespace}}'])(
  'scrapedNamespaces replaces %s with the namespace of the release',
  (template) => {
    expect(scrapedNamespaces(`matchNames:\n  - ${template}\n  - viz\n`, 'mesh')).toEqual({
      matchNames: ['mesh', 'viz'],
    });
  },
);

test('scrapedNamespaces reads "yes" as true, as the YAML parser of Kubernetes does', () => {
  expect(scrapedNamespaces('any: yes', 'mesh')).toEqual({ any: true });
});

test.each([
  ['matchNames: [{{ .Values.x }}]', 'templates other than'],
  ['all of them', 'not a map'],
  ['', 'not a map'],
  ['a: [', 'line 1'],
])('scrapedNamespaces refuses %j', (template, reason) => {
  expect(() => scrapedNamespaces(template, 'mesh')).toThrow(reason);
});
