import { readFile } from 'node:fs/promises';
import * as childProcess from 'node:child_process';
import mysql from 'mysql2/promise';

const pool = mysql.createPool({ uri: process.env.DATABASE });

export function ranking(players) {
  const points = [];
  for (const player of players) {
    points.push(player.points * 10);
  }
  return points.sort().reverse();
}

export const averageAge = (people) => {
  let sum = 0;
  for (const person of people) {
    sum += person.age;
  }
  const count = people.length;
  return Math.round(sum / count);
};

export class League {
  #saving = false;

  constructor(teams) {
    this.teams = teams;
    this.listeners = new Set();
  }

  save = async () => {
    const before = document.body.style.cursor;
    document.body.style.cursor = 'wait';
    await this.#send(JSON.stringify(this.teams));
    document.body.style.cursor = before;
  };

  retire(name) {
    this.teams.forEach((team, index) => {
      if (team.name === name) {
        this.teams.splice(index, 1);
      }
    });
  }

  async #send(text) {
    return await fetch('/league', { method: 'PUT', body: text }).then((answer) => answer.text());
  }

  async playersOf(team, order) {
    let statement = 'SELECT * FROM player WHERE team = ' + pool.escape(team);
    if (order) {
      statement += ' ORDER BY ' + order;
    }
    const [rows] = await pool.execute(statement);
    return rows;
  }

  refresh() {
    const loading = readFile('league.json', 'utf8').then((text) => {
      this.teams = JSON.parse(text);
    });
    return loading.catch(() => {});
  }
}

async function sendMail(address, text) {
  const { createTransport } = await import('nodemailer');
  await createTransport({}).sendMail({ to: address, text });
}

export const invite = async (address) => {
  let sent = false;
  try {
    sendMail(address, 'You are invited');
    sent = true;
  } catch {
    console.warn(`No mail to ${address}`);
  }
  return sent;
};

export async function inviteAll(addresses) {
  const results = [];
  addresses.map(async function (address) {
    results.push(await invite(address));
  });
  return results;
}

export function thumbnail({ source, width }) {
  const command = ['convert', source, '-resize', width, 'thumb.png'].join(' ');
  return childProcess.execSync(command, { stdio: 'ignore' });
}

export function resetToken() {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
  let token = '';
  for (let i = 0; i < 32; i += 1) {
    const position = Math.floor(Math.random() * alphabet.length);
    token += alphabet[position];
  }
  return token;
}

export function dimensions(form) {
  const size = {};
  if (form.width.value !== '') {
    size.width = parseInt(form.width.value, 10);
  }
  if (form.height.value !== '') {
    size.height = parseInt(form.height.value, 10);
  }
  if (form.depth.value !== '') {
    size.depth = parseInt(form.height.value, 10);
  }
  return size;
}
// socreates: ignore-file  the faults are planted
