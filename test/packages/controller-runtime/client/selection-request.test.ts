import { acceptHeader, selectionPath } from '#controller-runtime/client/selection-request';
import { PODS } from '#controller-runtime/objects/built-in-resources';

test.each([
  [{}, {}, '/api/v1/pods'],
  [{ namespace: 'shop' }, { limit: 5 }, '/api/v1/namespaces/shop/pods?limit=5'],
  [{ labelSelector: 'a in (b,c)' }, {}, '/api/v1/pods?labelSelector=a+in+%28b%2Cc%29'],
  [{ fieldSelector: 'metadata.name=x' }, { watch: true }, '/api/v1/pods?fieldSelector=metadata.name%3Dx&watch=true'],
  [{}, { continue: undefined }, '/api/v1/pods'],
])('the client requests the selection %j with the query %j at %s', (selection, query, path) => {
  expect(selectionPath(PODS, selection, query)).toBe(path);
});

test('the client requests metadata by the media type, for lists and single objects', () => {
  expect(acceptHeader({}, 'list')).toBe('application/json');
  expect(acceptHeader({ metadataOnly: true }, 'list')).toBe(
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  );
  expect(acceptHeader({ metadataOnly: true }, 'objects')).toBe(
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  );
});
