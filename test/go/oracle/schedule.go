package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// readDuration answers in nanoseconds, as text: JavaScript's numbers do not hold all of them.
func readDuration(text string) (any, error) {
	duration, err := time.ParseDuration(text)
	return strconv.FormatInt(int64(duration), 10), err
}

// readCron decides as validateScheduleFormat does for a new CronJob (kubernetes/pkg/apis/batch/validation).
func readCron(text string) (any, error) {
	if strings.Contains(text, "TZ") {
		return nil, errors.New("cannot use TZ or CRON_TZ in schedule")
	}
	_, err := cron.ParseStandard(text)
	return nil, err
}
