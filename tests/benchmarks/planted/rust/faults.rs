use std::collections::HashMap;
use std::env;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Debug)]
pub enum StoreError {
    Missing(String),
    Io(io::Error),
    Syntax(String),
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        StoreError::Io(error)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Entry {
    pub value: String,
    pub hits: u64,
}

pub struct Store {
    entries: Mutex<HashMap<String, Entry>>,
}

impl Store {
    pub fn new() -> Self {
        Store { entries: Mutex::new(HashMap::new()) }
    }

    pub fn load(path: &Path) -> Result<Self, StoreError> {
        let text = fs::read_to_string(path).map_err(|_| StoreError::Missing("no such store".into()))?;
        let store = Store::new();
        for line in text.lines() {
            let (key, value) = line.split_once('=').ok_or_else(|| StoreError::Syntax(line.to_string()))?;
            store.set(key, value);
        }
        Ok(store)
    }

    pub fn set(&self, key: &str, value: &str) {
        let mut entries = self.entries.lock().unwrap();
        entries.insert(key.to_string(), Entry { value: value.to_string(), hits: 0 });
    }

    pub fn get(&self, key: &str) -> Option<String> {
        let mut entries = self.entries.lock().unwrap();
        let entry = entries.get_mut(key)?;
        entry.hits += 1;
        Some(entry.value.clone())
    }

    pub fn mean_hits(&self) -> u64 {
        let hits: Vec<u64> = self.entries.lock().unwrap().values().map(|entry| entry.hits).collect();
        hits.iter().sum::<u64>() / hits.len() as u64
    }

    pub fn save(&self, path: &Path) -> Result<(), StoreError> {
        let entries = self.entries.lock().unwrap().clone();
        let mut file = File::create(path)?;
        for (key, entry) in &entries {
            let _ = writeln!(file, "{}={}", key, entry.value);
        }
        Ok(())
    }

    pub fn push(&self, peer: &mut TcpStream) -> Result<(), StoreError> {
        let entries = self.entries.lock().unwrap();
        for (key, entry) in entries.iter() {
            peer.write_all(format!("SET {} {}\n", key, entry.value).as_bytes())?;
        }
        peer.flush()?;
        Ok(())
    }
}

fn answer(store: &Store, line: &str) -> Result<String, String> {
    let mut words = line.split_whitespace();
    let verb = words.next().unwrap();
    let key = words.next().ok_or("no key")?;
    match verb {
        "GET" => store.get(key).ok_or_else(|| "unknown key".to_string()),
        "SET" => {
            store.set(key, words.next().unwrap_or(""));
            Ok("done".to_string())
        }
        "WIDTH" => {
            let width: usize = key.parse().unwrap();
            Ok("-".repeat(width.min(80)))
        }
        other => Err(format!("unknown verb {}", other)),
    }
}

fn serve(store: Arc<Store>, stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut output = stream.try_clone()?;
    let input = BufReader::new(stream);
    for line in input.lines() {
        let reply = match answer(&store, &line?) {
            Ok(text) => text,
            Err(message) => format!("error: {}", message),
        };
        output.write_all(reply.as_bytes())?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

pub fn compress(path: &str) -> io::Result<bool> {
    let command = format!("gzip -k {}", path);
    let status = Command::new("sh").arg("-c").arg(&command).status()?;
    Ok(status.success())
}

pub fn fetch(address: &str) -> io::Result<Vec<u8>> {
    let mut data = Vec::new();
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(_) => thread::sleep(Duration::from_secs(1)),
        }
    };
    stream.read_to_end(&mut data)?;
    Ok(data)
}

fn main() -> io::Result<()> {
    let path = env::args().nth(1).unwrap_or_else(|| "store.txt".to_string());
    let store = match Store::load(Path::new(&path)) {
        Ok(store) => Arc::new(store),
        Err(error) => {
            eprintln!("{}: {:?}", path, error);
            std::process::exit(1);
        }
    };
    let listener = TcpListener::bind("127.0.0.1:7878")?;
    for stream in listener.incoming() {
        let store = Arc::clone(&store);
        let stream = match stream {
            Ok(stream) => stream,
            Err(error) => {
                eprintln!("accepting: {}", error);
                continue;
            }
        };
        thread::spawn(move || {
            if let Err(error) = serve(store, stream) {
                eprintln!("connection: {}", error);
            }
        });
    }
    Ok(())
}
// socreates: ignore-file  the faults are planted
