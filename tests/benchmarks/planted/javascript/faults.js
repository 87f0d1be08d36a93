'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const { exec, execFile } = require('node:child_process');
const express = require('express');

const app = express();
app.use(express.json());

const WEATHER = 'https://weather.example/v1';
const known = new Map();

class Station {
  constructor(id, db) {
    this.id = id;
    this.db = db;
    this.busy = false;
    this.history = [];
  }

  record(value) {
    this.history.push({ value, at: Date.now() });
    if (this.history.length > 1000) {
      this.history.shift();
    }
  }

  median() {
    if (this.history.length === 0) {
      return null;
    }
    const values = this.history.map((entry) => Number(entry.value));
    values.sort();
    return values[Math.floor(values.length / 2)];
  }

  mean() {
    const sum = this.history.reduce((total, entry) => total + entry.value, 0);
    return sum / this.history.length;
  }

  async calibrate(probe) {
    this.busy = true;
    const offset = await probe.measure(this.id);
    this.history.forEach((entry) => {
      entry.value -= offset;
    });
    this.busy = false;
  }

  dropOld(limit) {
    const border = Date.now() - limit;
    for (let i = 0; i < this.history.length; i++) {
      if (this.history[i].at < border) {
        this.history.splice(i, 1);
      }
    }
  }

  async named(name) {
    const sql = `SELECT id, name FROM station WHERE name = '${name}'`;
    const result = await this.db.query(sql);
    return result.rows;
  }
}

async function forecast(place) {
  const response = await fetch(`${WEATHER}/forecast?place=${encodeURIComponent(place)}`, {
    signal: AbortSignal.timeout(5000),
  });
  const body = await response.json();
  return body.days;
}

function loadStations(path) {
  let stations = [];
  try {
    stations = JSON.parse(fs.readFileSync(path, 'utf8'));
  } catch (error) {
  }
  return stations;
}

async function store(station, value) {
  const row = { station: station.id, value, at: new Date().toISOString() };
  try {
    return station.db.insert('reading', row);
  } catch (error) {
    console.error('The reading was not stored', error);
    return null;
  }
}

async function storeAll(station, values) {
  values.forEach(async (value) => {
    await store(station, value);
  });
  console.log(`${values.length} readings stored`);
}

function plot(stationId, callback) {
  exec('gnuplot -e "station=\'' + stationId + '\'" plot.gp', callback);
}

function newApiKey() {
  return 'key_' + Math.random().toString(36).slice(2);
}

function checkReading(reading) {
  const errors = [];
  if (typeof reading.temperature !== 'number') {
    errors.push('temperature is missing');
  }
  if (typeof reading.humidity !== 'number') {
    errors.push('humidity is missing');
  }
  if (typeof reading.humidity !== 'number') {
    errors.push('pressure is missing');
  }
  return errors;
}

app.post('/stations/:id/readings', async (request, response, next) => {
  try {
    const station = known.get(request.params.id);
    if (!station) {
      response.status(404).end();
      return;
    }
    const errors = checkReading(request.body);
    if (errors.length > 0) {
      response.status(400).json({ errors });
      return;
    }
    station.record(request.body.temperature);
    await store(station, request.body.temperature);
    response.status(204).end();
  } catch (error) {
    next(error);
  }
});

module.exports = { app, Station, forecast, loadStations, store, storeAll, plot, newApiKey };
// socreates: ignore-file  the faults are planted
