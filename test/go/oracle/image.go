package main

import (
	// The digests that the kubelet supports (kubernetes/pkg/util/parsers).
	_ "crypto/sha256"
	_ "crypto/sha512"

	"github.com/distribution/reference"
)

// readImage parses a reference as the kubelet does before a pull (kubernetes/pkg/util/parsers), and returns its parts.
func readImage(text string) (any, error) {
	named, err := reference.ParseNormalizedNamed(text)
	if err != nil {
		return nil, err
	}
	parts := map[string]string{}
	if tagged, ok := named.(reference.Tagged); ok {
		parts["tag"] = tagged.Tag()
	}
	if digested, ok := named.(reference.Digested); ok {
		parts["digest"] = digested.Digest().String()
	}
	return parts, nil
}
