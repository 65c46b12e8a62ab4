import { imageReferenceOf } from '../../../operator/api/kubernetes/image-reference';
import { KUBERNETES_FINDINGS } from '../findings/findings';
import type { Problem } from '../findings/problem';
import { describeObject, type KubernetesObject } from '../kubernetes-object';
import { POD_SPEC } from '../pod-spec';
import { apiGroup } from '../scope';
import { fieldPath, selectFields, textIn } from '../select-fields';
import { OBJECT_CHECKS } from './findings';
import type { ObjectRule } from './object-rule';

const CONTAINERS = new Map(
  Object.entries(POD_SPEC).map(([kind, spec]) => [
    kind,
    ['initContainers[]', 'containers[]'].map((list) => fieldPath(`${spec}.${list}`)),
  ]),
);

/** Docker Hub under all of its names; without a registry an image is from there, too. */
const BITNAMI = /^(?:(?:index\.|registry-1\.)?docker\.io\/)?bitnami\//;

/** The rule for images of containers. */
export const IMAGES: ObjectRule = { kinds: [...CONTAINERS.keys()], check: checkImages };

/** Checks the images of an object's containers. That there is one at all, the API server checks. */
export function checkImages(object: KubernetesObject): readonly Problem[] {
  const containers = CONTAINERS.get(`${apiGroup(object.apiVersion)}/${object.kind}`) ?? [];
  return containers
    .flatMap((path) => selectFields(object, path))
    .map(({ field, value }) => ({ container: field, image: textIn(value, 'image') ?? '' }))
    .filter(({ image }) => image !== '')
    .flatMap(({ container, image }): readonly Problem[] => {
      const place = `${describeObject(object)}: ${container}`;
      if (imageReferenceOf(image) === undefined)
        return [KUBERNETES_FINDINGS.imageRefused({ field: 'image', image }, { place })];
      return BITNAMI.test(image) ? [OBJECT_CHECKS.imageAbandoned({ image }, { place })] : [];
    });
}
