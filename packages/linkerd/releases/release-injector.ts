import { remembered } from '#base/remembered';
import { isMap, type Values, valueAt } from '#base/values';
import { type Injector, injectorOf } from '../injection/injector';
import { typeAt, withTypes } from '../injection/value-type';
import { partDefaults } from './chart-defaults';
import { type Release, releaseOf } from './release';

/**
 * Returns the proxy injector of a release. The injector of a release from charts reads the same values as that of
 * `injectorLike`, except values that its own chart lacks.
 */
export const releaseInjector = remembered((release: Release): Injector => {
  const known = releaseOf(release.injectorLike);
  const like = injectorOf(known.version);
  if (release.archives === undefined) return like;
  const own = partDefaults(release, 'controlPlane');
  const absent = absentPaths(partDefaults(known, 'controlPlane'), own).filter(
    (path) => typeAt(like.types, path) !== undefined,
  );
  return {
    ...like,
    types: withTypes(like.types, Object.fromEntries(absent.map((path) => [path, undefined]))),
    neededMaps: like.neededMaps.filter((path) => isMap(valueAt(own, path))),
    // The chart and its injector share the templates of init containers.
    closeWaitNeedsRoot: release.groups.controlPlane.templates.closeWaitNeedsRoot,
  };
});

function absentPaths(values: Values, others: Values, prefix = ''): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) => {
    const path = `${prefix}${key}`;
    const other = others[key];
    if (other === undefined) return [path];
    return isMap(value) && isMap(other) ? absentPaths(value, other, `${path}.`) : [];
  });
}
