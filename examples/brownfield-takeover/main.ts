import { Platform, Warnings } from 'cdk8s-linkerd';
import { linkerd } from './control-plane.js';

const platform = new Platform({ repoUrl: 'https://git.example.com/platform.git' });

platform.addCluster('home', {}, (home) => {
  // Created by `cdk8s-linkerd migrate`; edit it from now on.
  linkerd(home);
  Warnings.of(home).acknowledge('trust-anchor-unlabelled', 'the Secret that is there was labelled, as README.md says');
});

platform.run();
