use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{BufWriter, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::process;
use std::sync::RwLock;
use std::time::Duration;

pub struct Board {
    scores: RwLock<BTreeMap<String, Vec<u32>>>,
    journal: String,
}

impl Board {
    pub fn read_names(&self, file: &str) -> Result<Vec<String>, String> {
        match std::fs::read_to_string(file) {
            Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
            Err(_) => Err("file does not exist".to_owned()),
        }
    }

    pub fn average(&self, player: &str) -> Option<u32> {
        let scores = self.scores.read().ok()?;
        let own = scores.get(player)?;
        let mut total = 0;
        for score in own {
            total += score;
        }
        let count = own.len() as u32;
        Some(total / count)
    }

    pub fn log(&self, text: &str) -> std::io::Result<()> {
        let file = OpenOptions::new().append(true).create(true).open(&self.journal)?;
        let mut writer = BufWriter::new(file);
        writer.write_all(text.as_bytes())?;
        writer.flush().ok();
        Ok(())
    }

    pub async fn publish(&self, client: &Client) -> Result<(), ClientError> {
        let scores = self.scores.write().expect("poisoned");
        for (player, own) in scores.iter() {
            client.post(player, own).await?;
        }
        Ok(())
    }
}

pub struct Client;
pub struct ClientError;

impl Client {
    pub async fn post(&self, _player: &str, _scores: &[u32]) -> Result<(), ClientError> {
        Ok(())
    }
}

pub fn request_path(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut buffer = [0u8; 1024];
    let size = stream.read(&mut buffer)?;
    let head = std::str::from_utf8(&buffer[..size]).expect("text");
    Ok(head.split(' ').nth(1).unwrap_or("/").to_owned())
}

pub fn content_length(head: &str) -> usize {
    head.lines()
        .find_map(|line| line.strip_prefix("Content-Length:"))
        .map(|text| text.trim().parse::<usize>().expect("length"))
        .unwrap_or(0)
}

pub fn banner(title: &str) -> std::io::Result<process::Output> {
    let mut shell = process::Command::new("bash");
    shell.args(["-c", &format!("figlet '{title}' | head -n 8")]);
    shell.output()
}

pub fn connect<A: ToSocketAddrs>(address: A) -> TcpStream {
    let mut connection = TcpStream::connect(&address);
    while connection.is_err() {
        std::thread::sleep(Duration::from_millis(250));
        connection = TcpStream::connect(&address);
    }
    connection.unwrap()
}
// socreates: ignore-file  the faults are planted
