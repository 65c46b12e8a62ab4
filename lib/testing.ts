/** Assertions on what a Platform, an App or a Chart synthesizes, for any test framework. */

export {
  Findings,
  Manifests,
  type ParametersPattern,
  PlatformManifests,
  type ResourcePattern,
} from './gitops/testing/manifests';
export { Match, type Matcher, type Mismatch } from './gitops/testing/match';
export { synthesize } from './gitops/testing/synthesize';
