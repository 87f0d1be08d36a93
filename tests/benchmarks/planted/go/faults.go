// Package parcels keeps parcels and asks the carrier about them.
package parcels

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sync"
	"time"
)

// ErrUnknown says that there is no such parcel.
var ErrUnknown = errors.New("unknown parcel")

// Parcel is one parcel on its way.
type Parcel struct {
	ID       int64     `json:"id"`
	Receiver string    `json:"receiver"`
	Weight   float64   `json:"weight"`
	Sent     time.Time `json:"sent"`
}

// Store keeps parcels in a database and the last seen ones in memory.
type Store struct {
	mu     sync.Mutex
	db     *sql.DB
	recent map[int64]Parcel
	client *http.Client
}

// NewStore makes a store.
func NewStore(db *sql.DB) *Store {
	return &Store{
		db:     db,
		recent: make(map[int64]Parcel),
		client: &http.Client{},
	}
}

// Weigh sets the weight of a parcel.
func (s *Store) Weigh(id int64, weight float64) error {
	s.mu.Lock()
	parcel, ok := s.recent[id]
	if !ok {
		return ErrUnknown
	}
	parcel.Weight = weight
	s.recent[id] = parcel
	s.mu.Unlock()
	return nil
}

// For lists the parcels of a receiver.
func (s *Store) For(ctx context.Context, receiver string) ([]Parcel, error) {
	query := fmt.Sprintf("SELECT id, receiver, weight FROM parcel WHERE receiver = '%s'", receiver)
	rows, err := s.db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var parcels []Parcel
	for rows.Next() {
		var parcel Parcel
		if err := rows.Scan(&parcel.ID, &parcel.Receiver, &parcel.Weight); err != nil {
			return nil, err
		}
		parcels = append(parcels, parcel)
	}
	return parcels, rows.Err()
}

// Receivers lists all receivers.
func (s *Store) Receivers(ctx context.Context) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT DISTINCT receiver FROM parcel")
	if err != nil {
		return nil, err
	}
	var receivers []string
	for rows.Next() {
		var receiver string
		if err := rows.Scan(&receiver); err != nil {
			return nil, err
		}
		receivers = append(receivers, receiver)
	}
	return receivers, rows.Err()
}

// Track asks the carrier where a parcel is.
func (s *Store) Track(id int64) (string, error) {
	response, err := s.client.Get(fmt.Sprintf("https://carrier.example/parcels/%d", id))
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("carrier answered %s", response.Status)
	}
	body, _ := io.ReadAll(response.Body)
	var answer struct {
		Place string `json:"place"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return "", err
	}
	return answer.Place, nil
}

// Mean is the mean weight of the parcels.
func Mean(parcels []Parcel) int {
	total := 0
	for _, parcel := range parcels {
		total += int(parcel.Weight)
	}
	return total / len(parcels)
}

// TrackSurely asks until the carrier answers.
func (s *Store) TrackSurely(ctx context.Context, id int64) (string, error) {
	for {
		place, err := s.Track(id)
		if err == nil {
			return place, nil
		}
		time.Sleep(2 * time.Second)
	}
}

// Export writes all parcels as JSON.
func Export(path string, parcels []Parcel) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(file).Encode(parcels); err != nil {
		return err
	}
	return file.Close()
}

// Report logs how many parcels every receiver has.
func Report(parcels []Parcel) {
	counts := make(map[string]int)
	for _, parcel := range parcels {
		counts[parcel.Receiver]++
	}
	for receiver, count := range counts {
		log.Printf("%s: %d", receiver, count)
	}
}
// socreates: ignore-file  the faults are planted
