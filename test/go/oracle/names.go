package main

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	netutils "k8s.io/utils/net"
)

func readDNSLabel(text string) (any, error) {
	return nil, join(validation.IsDNS1123Label(text))
}

func readDNSSubdomain(text string) (any, error) {
	return nil, join(validation.IsDNS1123Subdomain(text))
}

// readHost checks a host as validateIngressRules does (kubernetes/pkg/apis/networking/validation), but refuses "".
func readHost(text string) (any, error) {
	if netutils.ParseIPSloppy(text) != nil {
		return nil, errors.New("must be a DNS name, not an IP address")
	}
	if strings.Contains(text, "*") {
		return nil, join(validation.IsWildcardDNS1123Subdomain(text))
	}
	return nil, join(validation.IsDNS1123Subdomain(text))
}

func readLabelValue(text string) (any, error) {
	return nil, join(validation.IsValidLabelValue(text))
}

func readLabelKey(text string) (any, error) {
	return nil, join(validation.IsQualifiedName(text))
}

// readAnnotationKey checks a key as ValidateAnnotations does (apimachinery/pkg/api/validation).
func readAnnotationKey(text string) (any, error) {
	return nil, join(validation.IsQualifiedName(strings.ToLower(text)))
}

func join(messages []string) error {
	if len(messages) == 0 {
		return nil
	}
	return errors.New(strings.Join(messages, "; "))
}
