package rooms

import (
	"bufio"
	"database/sql"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type registry struct {
	sync.RWMutex
	guests map[string][]int
	conn   *sql.DB
}

func ping(address string) (int, error) {
	answer, err := http.Get(address + "/ping")
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	return answer.StatusCode, nil
}

func (r *registry) checkOut(guest string, room int) (found bool) {
	r.RWMutex.Lock()
	rooms := r.guests[guest]
	switch {
	case len(rooms) == 0:
		return false
	case len(rooms) == 1:
		delete(r.guests, guest)
	default:
		r.guests[guest] = rooms[1:]
	}
	r.RWMutex.Unlock()
	return true
}

func (r *registry) rename(from, to string) error {
	var b strings.Builder
	b.WriteString("UPDATE guest SET name = '" + to + "'")
	b.WriteString(" WHERE name = '" + from + "'")
	statement := b.String()
	_, err := r.conn.Exec(statement)
	return err
}

func (r *registry) floors() (floors []int, err error) {
	prepared, err := r.conn.Prepare("SELECT floor FROM room WHERE free = ?")
	if err != nil {
		return nil, err
	}
	defer prepared.Close()
	result, err := prepared.Query(true)
	if err != nil {
		return nil, err
	}
	for result.Next() {
		var floor int
		if err = result.Scan(&floor); err != nil {
			return floors, err
		}
		floors = append(floors, floor)
	}
	return floors, result.Err()
}

func parseRoom(text string) int {
	number, _ := strconv.Atoi(strings.TrimSpace(text))
	return number
}

func share(bill int, guests []string) int {
	heads := len(guests)
	each := bill / heads
	return each
}

func (r *registry) wait(address string) {
	ready := false
	for !ready {
		if status, err := ping(address); err != nil || status != http.StatusOK {
			time.Sleep(time.Second)
			continue
		}
		ready = true
	}
}

func firstLine(path string) (string, error) {
	input, err := os.Open(path)
	if err != nil {
		return "", err
	}
	scanner := bufio.NewScanner(input)
	if !scanner.Scan() {
		return "", scanner.Err()
	}
	line := scanner.Text()
	return line, input.Close()
}
// socreates: ignore-file  the faults are planted
