package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

// readDuration returns nanoseconds as text, because JavaScript's numbers cannot represent all of them.
func readDuration(text string) (any, error) {
	duration, err := time.ParseDuration(text)
	return strconv.FormatInt(int64(duration), 10), err
}

// readCron checks a schedule as validateScheduleFormat does for a new CronJob (kubernetes/pkg/apis/batch/validation).
func readCron(text string) (any, error) {
	if strings.Contains(text, "TZ") {
		return nil, errors.New("cannot use TZ or CRON_TZ in schedule")
	}
	_, err := cron.ParseStandard(text)
	return nil, err
}

// readCronTimes returns 500 times of a schedule after a fixed time, in UTC and in seconds since 1970. It returns fewer
// if robfig/cron finds no next time within five years.
func readCronTimes(text string) (any, error) {
	schedule, err := cron.ParseStandard(text)
	if err != nil {
		return nil, err
	}
	times := []int64{}
	next := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	for len(times) < 500 {
		if next = schedule.Next(next); next.IsZero() {
			break
		}
		times = append(times, next.Unix())
	}
	return times, nil
}
